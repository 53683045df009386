// SPDX-License-Identifier: MIT
// browser.js CHROMIUM PAGE...: pages of tracereport in a real browser: see browser.sh.
'use strict';
const {spawn} = require('child_process');

const [,, chromium, ...pages] = process.argv;
const browser = spawn(chromium, ['--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--hide-scrollbars',
	'--host-resolver-rules=MAP * ~NOTFOUND', '--user-data-dir=' + process.env.TMPDIR + '/profile'],
{stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const waiting = new Map();
const seen = {requests: [], trouble: []};
let number = 0, bytes = Buffer.alloc(0), failed = 0, checked = 0, session, loaded = () => {};

const onMessage = (m) => {
	if (m.id) {
		waiting.get(m.id)(m);
		waiting.delete(m.id);
	} else if (m.method === 'Network.requestWillBeSent') {
		seen.requests.push(m.params.request.url);
	} else if (m.method === 'Page.loadEventFired') {
		loaded();
	} else if (m.method === 'Runtime.exceptionThrown' || m.method === 'Log.entryAdded' ||
		m.method === 'Runtime.consoleAPICalled') {
		seen.trouble.push(JSON.stringify(m.params).slice(0, 300));
	}
};
browser.stdio[3].on('error', () => {});
browser.stdio[4].on('data', (d) => {
	bytes = Buffer.concat([bytes, d]);
	for (let i; (i = bytes.indexOf(0)) >= 0; bytes = bytes.subarray(i + 1))
		onMessage(JSON.parse(bytes.subarray(0, i)));
});
const send = (method, params = {}) => new Promise((done) => {
	waiting.set(++number, done);
	browser.stdio[3].write(JSON.stringify({id: number, method, params, sessionId: session}) + '\0');
});
const check = (ok, ...what) => {
	checked++;
	if (!ok) {
		failed++;
		console.log('wrong:', ...what);
	}
};
const run = async (expression) => {
	const r = (await send('Runtime.evaluate', {expression, returnByValue: true})).result;
	if (r.exceptionDetails)
		check(false, expression, JSON.stringify(r.exceptionDetails).slice(0, 300));
	return r.result && r.result.value;
};
const press = async (key, modifiers = 0) => {
	const codes = {Enter: 13, Tab: 9, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36};
	const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
	const common = {key, modifiers, windowsVirtualKeyCode: codes[key] || key.charCodeAt(0)};
	await send('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', text, ...common});
	await send('Input.dispatchKeyEvent', {type: 'keyUp', ...common});
};
const open = async (file) => {
	const there = new Promise((done) => { loaded = done; });
	seen.requests = [];
	seen.trouble = [];
	await send('Page.navigate', {url: 'file://' + file});
	await there;
};
const quiet = (file, how) => {
	const elsewhere = seen.requests.filter((u) => u !== 'file://' + file && !u.startsWith('data:,'));
	check(!elsewhere.length, file, how, 'requests', elsewhere);
	check(!seen.trouble.length, file, how, seen.trouble);
};

// What a screen reader and an eye need: names, landmarks, order, contrast.  Runs inside the page.
const access = () => {
	const bad = [], all = (q) => [...document.querySelectorAll(q)];
	const name = (e) => e.getAttribute('aria-label') || (e.getAttribute('aria-labelledby') || '').split(' ')
		.map((i) => i && (document.getElementById(i) || {textContent: ''}).textContent).join(' ') ||
		(e.labels && [...e.labels].map((l) => l.textContent).join(' ')) || e.textContent;
	all('button, input, a, summary, canvas, [role=img], [role=region], nav, section').forEach((e) => {
		if (!name(e).trim())
			bad.push('no name: ' + e.outerHTML.slice(0, 80));
	});
	const names = all('[role=region], section, nav').map(name);
	names.forEach((n, i) => names.indexOf(n) !== i && bad.push('two landmarks: ' + n));
	const ids = all('[id]').map((e) => e.id);
	ids.forEach((n, i) => ids.indexOf(n) !== i && bad.push('two ids: ' + n));
	let level = 0;
	all('h1, h2, h3, h4').forEach((h) => {
		if (+h.tagName[1] > level + 1)
			bad.push('heading out of order: ' + h.textContent);
		level = +h.tagName[1];
	});
	all('th').forEach((t) => t.scope !== 'col' && bad.push('no scope: ' + t.textContent));
	all('table').forEach((t) => t.caption || bad.push('no caption: ' + t.id));
	all('[aria-sort]').forEach((e) => /^(ascending|descending)$/.test(e.getAttribute('aria-sort')) ||
		bad.push('aria-sort'));
	all('ul, ol').forEach((l) => [...l.children].forEach((c) => c.tagName === 'LI' || bad.push('list: ' + c.tagName)));
	all('dl').forEach((l) => [...l.children].forEach((c) => /^D[TD]$/.test(c.tagName) || bad.push('dl: ' + c.tagName)));
	all('.scroll').forEach((e) => e.tabIndex === 0 || bad.push('cannot be scrolled by keys'));
	const rgb = (s) => (s.match(/[\d.]+/g) || []).map(Number);
	const lum = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
		const v = c[i] / 255;
		return sum + w * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	}, 0);
	const texts = new Set();
	all('body *').forEach((e) => {
		if (e.closest('svg, script, style, .skip') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
			return;
		const style = getComputedStyle(e);
		let at = e, back = [0, 0, 0, 0];
		for (; at && !back[3] && back.length === 4; at = at.parentElement)
			back = rgb(getComputedStyle(at).backgroundColor);
		const key = style.color + back;
		if (texts.has(key))
			return;
		texts.add(key);
		const [a, b] = [lum(rgb(style.color)), lum(back)].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < 4.5)
			bad.push('contrast ' + ((a + 0.05) / (b + 0.05)).toFixed(2) + ': ' + e.outerHTML.slice(0, 80));
	});
	all('button, input, nav a').forEach((e) => !e.checkVisibility() || e.getBoundingClientRect().height >= 24 ||
		bad.push('small: ' + e.outerHTML.slice(0, 80)));
	return bad;
};

const keyboard = async (file) => {
	const rows = 'document.querySelectorAll("tbody tr:not(.hide)").length';
	const before = await run(rows);
	await press('/');
	check(await run('document.activeElement.id') === 'find', file, '/ does not search');
	for (const c of 'zzzz')
		await press(c);
	check(await run(rows) === 0, file, 'search hides nothing');
	await press('Escape');
	check(await run(rows) === before, file, 'Escape does not show all');
	/* What a cell shows finds its row, "5.427 ms", and so does its exact value. */
	const lost = await run(`(() => {
		const tr = document.querySelector('#t-top tbody tr');
		const rows = JSON.parse(document.querySelector('#data').textContent).tables.top;
		const c = rows.columns.indexOf('total_ns');
		const shown = [...tr.cells].map((td) => (td.querySelector('summary') || td).textContent.trim()).filter((t) => t);
		return [...shown, String(rows.rows[tr.dataset.i][c])].filter((word) => {
			const box = document.querySelector('#find');
			box.value = word;
			box.oninput();
			return tr.classList.contains('hide');
		});
	})()`);
	check(lost && !lost.length, file, 'what is shown is not found', lost);
	await run('document.querySelector("#find").focus()');
	await press('Tab');
	await press('Escape');
	check(await run(rows) === before, file, 'Escape outside the search does not show all');
	await run('document.activeElement.blur()');
	if (await run('document.querySelectorAll(".card").length') > 1) {
		const card = '[...document.querySelectorAll(".card")].indexOf(document.activeElement)';
		await press('j');
		check(await run(card) === 0, file, 'j: the first finding');
		await press('j');
		await press('k');
		check(await run(card) === 0, file, 'j, k: the first finding again');
	}
	await run('document.querySelector("#t-top th.n button").focus()');
	const column = (c) => `[...document.querySelectorAll("#t-top tbody tr")].map((r) => +JSON.parse(` +
		`document.querySelector("#data").textContent).tables.top.rows[r.dataset.i][${c}])`;
	const c = await run('+document.activeElement.closest("th").dataset.c');
	await press('Enter');
	let v = await run(column(c)) || [];
	check(v.every((x, i) => !i || v[i - 1] >= x), file, 'Enter sorts, largest first', v);
	check(await run('document.activeElement.closest("th").getAttribute("aria-sort")') === 'descending', file, 'aria-sort');
	await press('Enter');
	v = await run(column(c)) || [];
	check(v.every((x, i) => !i || v[i - 1] <= x), file, 'Enter again sorts, least first', v);
	if (!await run('!!document.querySelector("canvas")'))
		return;
	const all = await run('document.querySelector("#window").textContent');
	await run('document.querySelector("canvas").focus()');
	await press('+');
	const some = await run('document.querySelector("#window").textContent');
	for (let i = 0; i < 3; i++)
		await press('ArrowRight', 8);
	const chosen = await run('document.querySelector("#window").textContent');
	const edges = [all, some, chosen].map((t) => (/^(?:--rank \d+ )?-w (\d+)\.\.(\d+)$/.exec(t) || [0, 1, 0]).slice(1).map(BigInt));
	check(edges.every((e, i) => e[0] < e[1] && (!i || (e[0] >= edges[i - 1][0] && e[1] <= edges[i - 1][1]))) &&
		new Set([all, some, chosen]).size === 3, file, 'zoom and selection', all, some, chosen);
	/* The page names the tables that follow the selection, which are those with times of single events. */
	const follow = await run(`(() => {
		const tables = JSON.parse(document.querySelector('#data').textContent).tables;
		const said = document.querySelector('#follows').textContent;
		return [...document.querySelectorAll('table')].filter((t) => tables[t.id.slice(2)]).map((t) => [t.id,
			tables[t.id.slice(2)].columns.includes('start_ns'),
			said.includes(t.querySelector('caption').textContent),
			t.querySelectorAll('tr.hide').length]);
	})()`) || [];
	check(follow.length && follow.every(([, timed, said, hidden]) => timed === said && (timed || !hidden)), file,
		'the page says which tables follow the selection', JSON.stringify(follow));
	/* Back to where it began, it is none, and the window not one that commands refuse as empty. */
	for (let i = 0; i < 3; i++)
		await press('ArrowLeft', 8);
	check(await run('document.querySelector("#window").textContent') === some, file, 'an empty selection is one');
	await press('Escape');
	await press('Home');
	check(await run('document.querySelector("#window").textContent') === all, file, 'Home does not show all');
	/* With scripts and without, the axis has the same times. */
	const axis = await run(`[...document.querySelectorAll('.axis')].map((p) => [...p.querySelectorAll('span')]
		.map((s) => s.textContent).join(' '))`) || [];
	check(!axis[0] || !axis[1] || axis[0] === axis[1], file, 'the axes of scripts and without differ', axis);
	await clocks(file, all);
};

/* Lines that have each a time of its own: the window is of one of them, and rows of other ranks are not in it. */
const clocks = async (file, first) => {
	const lanes = await run('JSON.parse(document.querySelector("#data").textContent).lanes');
	const words = (l) => `--rank ${l.rank} -w ${l.from}..${l.to}`;
	if (lanes.every((l) => l.from === lanes[0].from && l.to === lanes[0].to))
		return check(/^-w/.test(first), file, 'a window of one rank where all have one time', first);
	check(first === words(lanes[0]), file, 'the window is not of the first line', first);
	for (let i = 1; i < lanes.length; i++)
		await press('ArrowDown');
	const last = lanes[lanes.length - 1];
	check(await run('document.querySelector("#window").textContent') === words(last), file, 'the window is not of the last line');
	for (let i = 0; i < 60; i++)
		await press('ArrowRight', 8);
	const left = await run(`(() => {
		const t = JSON.parse(document.querySelector('#data').textContent).tables['gaps-list'];
		return [...document.querySelectorAll('#t-gaps-list tbody tr:not(.hide)')].map((tr) =>
			String(t.rows[tr.dataset.i][t.columns.indexOf('rank')]));
	})()`) || [];
	check(left.length && left.every((r) => r === last.rank), file, 'rows of other ranks are in the window', left);
	await press('Escape');
	return undefined;
};

/* At any zoom a pixel of the timeline has the color of a part, none between two; fingers scroll past it; colors of the
 * legend stay where the system forces its own. */
const pixels = async (file) => {
	const blended = `(() => {
		const canvas = document.querySelector('canvas'), scale = devicePixelRatio, copy = document.createElement('canvas');
		const g = copy.getContext('2d', {willReadFrequently: true});
		Object.assign(copy, canvas && {width: canvas.width, height: canvas.height});
		if (canvas)
			g.drawImage(canvas, 0, 0);
		const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
		const known = new Set(['--idle', ...document.querySelectorAll('[class^="sw f-"]')].map((e) => {
			probe.fillStyle = e === '--idle' ? getComputedStyle(document.documentElement).getPropertyValue(e) :
				getComputedStyle(e).getPropertyValue('--c') || '#888';
			probe.fillRect(0, 0, 1, 1);
			return probe.getImageData(0, 0, 1, 1).data.slice(0, 3).join();
		}).concat('0,0,0'));
		let bad = 0;
		for (let n = 0; canvas && n < JSON.parse(document.querySelector('#data').textContent).lanes.length; n++)
			for (const part of [0.3, 0.9]) {
				const d = g.getImageData(0, Math.round((n * 64 + 16 + 46 * part) * scale), canvas.width, 1).data;
				for (let i = 0; i < d.length; i += 4)
					bad += !known.has([...d.slice(i, i + 3)].join()) || (d[i + 3] !== 0 && d[i + 3] !== 255);
			}
		return bad;
	})()`;
	for (const deviceScaleFactor of [1.1, 1.25, 2]) {
		await send('Emulation.setDeviceMetricsOverride', {width: 1000, height: 900, deviceScaleFactor, mobile: false});
		await open(file);
		check(await run(blended) === 0, file, 'blended pixels at scale', deviceScaleFactor, await run(blended));
	}
	check(await run('[...document.querySelectorAll("canvas")].every((c) => getComputedStyle(c).touchAction === "pan-y")'), file,
		'a finger on the timeline does not scroll');
	await send('Emulation.setEmulatedMedia', {features: [{name: 'forced-colors', value: 'active'}]});
	check(await run('[...document.querySelectorAll(".legend")].every((l) => new Set([...l.querySelectorAll(".sw")]' +
		'.map((e) => getComputedStyle(e).backgroundColor)).size === l.querySelectorAll(".sw").length)'), file,
	'forced colors take those of the legend');
	await send('Emulation.setEmulatedMedia', {features: []});
	await send('Emulation.setDeviceMetricsOverride', {width: 1600, height: 900, deviceScaleFactor: 1, mobile: false});
};

/* What is copied as Markdown means only itself: no element, link, picture, person or issue, nothing unseen. */
const copied = async (file) => {
	const text = await run(`(() => {
		let text = '';
		Object.defineProperty(navigator, 'clipboard', {value: undefined});
		document.execCommand = () => { text = document.activeElement.value; };
		[...document.querySelector('#t-top').closest('.scroll').nextElementSibling.querySelectorAll('button')]
			.find((b) => b.textContent === 'Copy Markdown').click();
		return text;
	})()`) || '';
	const left = text.replace(/<!-- -->/g, '\n').match(/[<>]|[^\\]:\/\/|www\.|:[a-z_]+:|[@#]\w|[\0-\t\x0b-\x1f\u202e]/g);
	check(text.startsWith('| name |') && !left, file, 'Markdown that means something', left, text.slice(0, 300));
};

const one = async (file) => {
	for (const scheme of ['light', 'dark']) {
		await send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]});
		await open(file);
		for (const bad of await run(`(${access})()`))
			check(false, file, scheme, bad);
		check(true);
	}
	for (const width of [480, 1024, 1600]) {
		await send('Emulation.setDeviceMetricsOverride', {width, height: 900, deviceScaleFactor: 1, mobile: false});
		check(await run('document.documentElement.scrollWidth') <= width, file, 'wider than', width);
		/* Texts are not squeezed into narrow columns of broken words: tables scroll. */
		check(await run('[...document.querySelectorAll("td.t")].every((e) => e.offsetWidth >= Math.min(220, innerWidth / 2 - 10))'),
			file, 'a narrow text at', width);
	}
	await pixels(file);
	check(await run('window.pwned === undefined && !document.querySelector("img, iframe, [onload], [onerror]")'), file,
		'a name became more than text');
	await keyboard(file);
	await copied(file);
	quiet(file, 'with scripts');
	// What is put into the page later does not run either.
	await run('window.violations = 0; addEventListener("securitypolicyviolation", () => window.violations++);' +
		'{const s = document.createElement("script"); s.textContent = "window.pwned = 1"; document.body.append(s);' +
		'const d = document.createElement("div"); d.setAttribute("onclick", "window.pwned = 1"); document.body.append(d);' +
		'd.click(); new Image().src = "http://127.0.0.1:9/x.png"}');
	await new Promise((done) => setTimeout(done, 50));
	check(await run('window.pwned === undefined && window.violations >= 3'), file, 'the policy lets something in');
	// Rows print closed, as a row that is open is a third of a page.
	await send('Page.printToPDF', {});
	check(await run('!document.querySelector("td details[open]")'), file, 'printing opens rows');
	await send('Emulation.setScriptExecutionDisabled', {value: true});
	await open(file);
	quiet(file, 'without scripts');
	const pdf = (await send('Page.printToPDF', {})).result;
	check(pdf && pdf.data.length > 10000, file, 'does not print');
	await send('Emulation.setScriptExecutionDisabled', {value: false});
};

(async () => {
	const target = (await send('Target.createTarget', {url: 'about:blank'})).result.targetId;
	session = (await send('Target.attachToTarget', {targetId: target, flatten: true})).result.sessionId;
	for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
		await send(domain + '.enable');
	for (const file of pages)
		await one(file);
	console.log(`${pages.length} pages, ${checked} checks`);
	browser.on('exit', () => process.exit(failed || !checked ? 1 : 0));
	send('Browser.close').catch(() => {});
})();
