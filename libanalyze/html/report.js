'use strict';
(() => {
	const $ = (q, at = document) => at.querySelector(q);
	const all = (q, at = document) => [...at.querySelectorAll(q)];
	const data = JSON.parse($('#data').textContent);
	const make = (tag, more = {}, ...inside) => {
		const e = Object.assign(document.createElement(tag), more);
		e.append(...inside);
		return e;
	};
	const live = make('p', {className: 'live dim'});
	live.setAttribute('role', 'status');

	/* ---- numbers, exact: JSON.parse would round those past 2^53 ---- */
	const exact = {};
	const rawOf = (id) => {
		if (!exact[id]) {
			const quoted = $('#data').textContent.replace(
				/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g,
				(m) => m[0] === '"' ? m : '"' + m + '"');
			const t = JSON.parse(quoted).tables;
			for (const k of Object.keys(t))
				exact[k] = t[k].rows;
		}
		return exact[id];
	};
	const unitWord = {ns: ' ns', bytes: ' B', pct: ' %'};

	/* ---- copying ---- */
	const put = (text, what) => {
		const done = () => { live.textContent = what + ' copied'; };
		const old = () => {
			const area = make('textarea', {value: text});
			document.body.append(area);
			area.select();
			document.execCommand('copy');
			area.remove();
			done();
		};
		if (navigator.clipboard && window.isSecureContext)
			navigator.clipboard.writeText(text).then(done, old);
		else
			old();
	};
	const csvCell = (v) => {
		let s = v === null ? '' : String(v);
		if (typeof v === 'string' && /^[=+@\t-]/.test(s) && !/^-?[\d.]+$/.test(s))
			s = "'" + s;
		return /[",\r\n]|^\s|\s$/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s;
	};
	const mdCell = (v) => v === null ? '-' : String(v).replace(/[\r\n\t]+/g, ' ')
		.replace(/[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
			(c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
		.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
		.replace(/[|`\\*~[\]$_]/g, '\\$&').replace(/:(?=\/)/g, '\\:').replace(/www\./g, 'www\\.')
		.replace(/[@#](?=\w)|:(?=[a-z\d+\\_-]+:)/g, '$&<!-- -->');
	const shownRows = (id) => all('tbody tr', $('#t-' + id))
		.filter((tr) => !tr.classList.contains('hide')).map((tr) => rawOf(id)[tr.dataset.i]);
	const asCsv = (id) => [data.tables[id].columns, ...shownRows(id)]
		.map((r) => r.map(csvCell).join(',')).join('\n') + '\n';
	const asMarkdown = (id) => {
		const t = data.tables[id];
		const line = (r) => '| ' + r.map(mdCell).join(' | ') + ' |';
		return [line(t.columns),
			'| ' + t.units.map((u) => u === 'text' ? '---' : '---:').join(' | ') + ' |',
			...shownRows(id).map(line)].join('\n') + '\n';
	};

	/* ---- tables ---- */
	const order = (a, b) => {
		if (a === null || b === null)
			return (a === null) - (b === null);
		if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) {
			const x = BigInt(a), y = BigInt(b);
			return (x > y) - (x < y);
		}
		return typeof a === 'number' && typeof b === 'number' ? a - b
			: String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
	};
	const sortBy = (table, th) => {
		const id = table.id.slice(2), c = +th.dataset.c, rows = rawOf(id);
		const text = data.tables[id].units[c] === 'text';
		const was = th.getAttribute('aria-sort');
		const up = was ? was === 'descending' : text;
		all('th', table).forEach((o) => o.removeAttribute('aria-sort'));
		th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
		const trs = all('tbody tr', table).sort((p, q) => {
			const a = rows[p.dataset.i][c], b = rows[q.dataset.i][c];
			const d = order(a, b);
			return (a === null || b === null || up ? d : -d) || p.dataset.i - q.dataset.i;
		});
		$('tbody', table).append(...trs);
		live.textContent = 'sorted by ' + data.tables[id].columns[c] +
			(up ? ', ascending' : ', descending');
	};
	all('table').forEach((table) => {
		const id = table.id.slice(2), t = data.tables[id];
		if (!t)
			return;
		all('tbody tr', table).forEach((tr, i) => { tr.dataset.i = i; });
		all('thead th', table).forEach((th) => {
			const b = make('button', {type: 'button'}, ...th.childNodes);
			b.onclick = () => sortBy(table, th);
			th.replaceChildren(b);
		});
		table.addEventListener('mouseover', (e) => {
			const td = e.target.closest('td');
			if (!td || td.title || td.className)
				return;
			const tr = td.parentNode, th = $('thead tr', table).cells[td.cellIndex];
			const v = rawOf(id)[tr.dataset.i][+th.dataset.c];
			if (v !== null)
				td.title = v + (unitWord[t.units[+th.dataset.c]] || '');
		});
		const tool = (word, text) => {
			const b = make('button', {type: 'button'}, word);
			b.setAttribute('aria-label', word + ': ' + $('caption', table).textContent);
			b.onclick = () => put(text(id), $('caption', table).textContent);
			return b;
		};
		table.closest('.scroll').nextElementSibling.append(
			tool('Copy CSV', asCsv), tool('Copy Markdown', asMarkdown));
	});
	all('.card .cmd').forEach((code) => {
		const b = make('button', {type: 'button', className: 'copy'}, 'Copy command');
		b.onclick = () => put(code.textContent, 'command');
		code.after(b);
	});

	/* ---- search and keys ---- */
	const box = make('input', {type: 'search', id: 'find'});
	const hits = make('span', {className: 'dim'});
	let brushed = null, ofRank = null; /* the selection, and whose clock it is on; null = all have one */
	const inBrush = (id, row) => {
		const c = data.tables[id].columns.indexOf('start_ns');
		if (!brushed || c < 0 || row[c] === null)
			return true;
		if (ofRank !== null && String(row[data.tables[id].columns.indexOf('rank')]) !== ofRank)
			return false;
		const at = BigInt(row[c]);
		return at >= brushed[0] && at < brushed[1];
	};
	/* What a row shows while it is closed, and its exact values: either may be typed. */
	const texts = new Map();
	const textOf = (tr, row) => {
		if (!texts.has(tr)) {
			const shown = [...tr.cells].map((td) => ($('summary', td) || td).textContent);
			texts.set(tr, [...shown, ...row.filter((v) => v !== null)].join('\n')
				.replace(/[^\S\n]+/g, ' ').toLowerCase());
		}
		return texts.get(tr);
	};
	const filter = () => {
		const word = box.value.replace(/\s+/g, ' ').toLowerCase();
		let n = 0;
		all('table').forEach((table) => {
			const id = table.id.slice(2);
			if (!data.tables[id])
				return;
			const rows = rawOf(id);
			all('tbody tr', table).forEach((tr) => {
				const row = rows[tr.dataset.i];
				const on = inBrush(id, row) && (!word || textOf(tr, row).includes(word));
				tr.classList.toggle('hide', !on);
				n += on;
			});
		});
		hits.textContent = word || brushed ? n + ' rows' : '';
	};
	box.oninput = filter;
	$('main').prepend(make('div', {className: 'tools'},
		make('label', {htmlFor: 'find'}, 'Filter all tables (/)'), box, hits,
		make('span', {className: 'dim'}, 'j/k: next/previous finding')), live);
	document.addEventListener('keydown', (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		/* Escape on the timeline clears its selection. */
		if (e.key === 'Escape' && !e.defaultPrevented) {
			box.value = '';
			filter();
			box.blur();
		}
		if (e.target === box)
			return;
		const cards = all('.card');
		const at = cards.indexOf(document.activeElement);
		if (e.key === '/') {
			box.focus();
			e.preventDefault();
		} else if ((e.key === 'j' || e.key === 'k') && cards.length) {
			const to = e.key === 'j' ? at + 1 : at < 0 ? 0 : at - 1;
			cards[Math.max(0, Math.min(cards.length - 1, to))].focus();
		}
	});
	window.addEventListener('beforeprint', () => all('details').filter((d) => d.querySelector('table'))
		.forEach((d) => { d.open = true; }));

	/* ---- the time, drawn anew ---- */
	const lanes = data.lanes.map((l) => ({name: l.name, rank: l.rank, from: BigInt(l.from), to: BigInt(l.to),
		bins: l.bins, parts: Object.entries(l.parts).filter((p) => p[1]).map(([family, s]) =>
			[family, Uint8Array.from(atob(s), (c) => c.charCodeAt(0))])}));
	const holder = $('#strips');
	if (!holder || !lanes.length)
		return;
	const HIGH = 46, GAP = 18;
	const canvas = make('canvas', {tabIndex: 0});
	const words = make('code', {className: 'cmd', id: 'window'});
	/* Where clocks cannot be one, each lane is drawn over a time of its own: the window is of `mine`. */
	const together = lanes.every((l) => l.from === lanes[0].from && l.to === lanes[0].to);
	let mine = lanes[0];
	canvas.setAttribute('role', 'application');
	canvas.setAttribute('aria-label', 'Timeline. Arrow keys move, shift and arrow keys select, ' +
		'plus and minus zoom, Home shows all, Escape clears the selection.' +
		(together ? '' : ' Up and down choose the line of the window.'));
	canvas.setAttribute('aria-describedby', 'window follows');
	const bins = Math.max(...lanes.map((l) => l.bins));
	let lo = 0, hi = bins, from = null, to = null, drag = null;
	const edge = (i) => mine.from + (mine.to - mine.from) * BigInt(Math.round(i)) / BigInt(bins);
	const color = (family) => getComputedStyle($('.f-' + family) || canvas)
		.getPropertyValue('--c').trim() || '#888';
	const axis = make('p', {className: 'axis dim live'});
	/* As the axis without scripts has it: four digits, of the unit that they round to. */
	const since = (ns) => {
		const [by, , unit] = [[36e11, 3e8, 'h'], [6e10, 5e6, 'min'], [1e9, 5e4, 's'], [1e6, 50, 'ms'],
			[1e3, 0, 'us'], [1, 1, 'ns']].find((u) => ns >= u[0] - u[1]);
		const v = ns / by * (1 + 4 * Number.EPSILON); /* halves are rounded up */
		return '+' + (by === 1 || v >= 9999.5 ? v.toFixed(0) : Math.max(1, v).toPrecision(4)) + ' ' + unit;
	};
	const draw = () => {
		if (together)
			axis.replaceChildren(...[0, 1, 2, 3, 4].map((i) => make('span', {},
				since(Math.floor(Number(mine.to - mine.from) * (lo + (hi - lo) * i / 4) / bins)))));
		/* In pixels of the screen, of which a zoom of 125 % has no whole number in one of the page. */
		const scale = window.devicePixelRatio || 1, row = Math.round((HIGH + GAP) * scale);
		const wide = Math.round((canvas.getBoundingClientRect().width || 800) * scale);
		const tall = Math.round(HIGH * scale), high = lanes.length * row, thin = Math.round(2 * scale) || 1;
		const style = getComputedStyle(document.documentElement);
		canvas.width = wide;
		canvas.height = high;
		canvas.style.height = high / scale + 'px';
		const g = canvas.getContext('2d');
		g.font = 12 * scale + 'px system-ui, sans-serif';
		lanes.forEach((l, n) => {
			const top = (n + 1) * row - tall;
			g.fillStyle = style.getPropertyValue('--bg');
			g.fillRect(0, n * row, wide, row - tall);
			g.fillStyle = style.getPropertyValue('--dim');
			g.fillText((together || l !== mine ? '' : '\u25b8 ') + l.name, 2 * scale, top - 5 * scale);
			const paint = l.parts.map(([family, v]) => [color(family), v]);
			for (let x = 0; x < wide; x++) {
				const a = lo + x * (hi - lo) / wide, z = lo + (x + 1) * (hi - lo) / wide;
				const i = Math.floor(a * l.bins / bins);
				const k = Math.max(i + 1, Math.floor(z * l.bins / bins));
				/* How high each part reaches, with those below it; any is high enough to be seen. */
				let below = 0, up = 0;
				const reach = paint.map(([, v]) => {
					let sum = 0;
					for (let m = i; m < k && m < v.length; m++)
						sum += v[m];
					below += sum / (k - i) / 255 * tall;
					return up = Math.max(up + (sum > 0 ? thin : 0), Math.round(below));
				});
				up = tall;
				for (let j = paint.length; j--;) {
					const any = reach[j] > (j ? reach[j - 1] : 0);
					reach[j] = Math.min(reach[j], up);
					if (any) {
						g.fillStyle = paint[j][0];
						g.fillRect(x, (n + 1) * row - reach[j], 1, reach[j]);
					}
					up = reach[j] - (any ? thin : 0);
				}
			}
		});
		if (from !== null) {
			const x = (i) => (i - lo) / (hi - lo) * wide;
			g.fillStyle = style.getPropertyValue('--link');
			g.globalAlpha = 0.22;
			const top = together ? 0 : lanes.indexOf(mine) * row;
			g.fillRect(x(Math.min(from, to)), top, Math.max(2 * scale, Math.abs(x(to) - x(from))),
				together ? high : row);
		}
	};
	const tell = () => {
		/* A selection of nothing, as on its way to the other side, is none. */
		const none = from === to;
		const first = edge(none ? lo : Math.min(from, to)), last = edge(none ? hi : Math.max(from, to));
		brushed = none ? null : [first, last];
		ofRank = together ? null : mine.rank;
		words.textContent = (together ? '' : '--rank ' + mine.rank + ' ') + '-w ' + first + '..' + last;
		filter();
		draw();
	};
	const at = (e) => {
		const r = canvas.getBoundingClientRect();
		const i = lo + (e.clientX - r.left) / r.width * (hi - lo);
		return Math.max(0, Math.min(bins, Math.round(i)));
	};
	const zoom = (by, around) => {
		const span = Math.min(bins, Math.max(4, (hi - lo) * by));
		lo = Math.max(0, Math.min(bins - span, around - (around - lo) * span / (hi - lo)));
		hi = lo + span;
		tell();
	};
	canvas.onpointerdown = (e) => {
		const r = canvas.getBoundingClientRect();
		mine = together ? mine : lanes[Math.max(0, Math.min(lanes.length - 1,
			Math.floor((e.clientY - r.top) / r.height * lanes.length)))];
		drag = from = to = at(e);
		canvas.setPointerCapture(e.pointerId);
		tell();
	};
	canvas.onpointermove = (e) => {
		if (drag === null)
			return;
		to = at(e);
		tell();
	};
	/* The browser takes a finger that scrolls. */
	canvas.onpointercancel = () => {
		from = to = drag = null;
		tell();
	};
	canvas.onpointerup = () => {
		if (from === to)
			from = to = null;
		drag = null;
		tell();
	};
	canvas.addEventListener('wheel', (e) => {
		if (!e.ctrlKey)
			return;
		e.preventDefault();
		zoom(e.deltaY > 0 ? 1.25 : 0.8, at(e));
	}, {passive: false});
	canvas.onkeydown = (e) => {
		const step = Math.max(1, Math.round((hi - lo) / 50));
		const move = e.key === 'ArrowRight' ? step : e.key === 'ArrowLeft' ? -step : 0;
		if (move && e.shiftKey) {
			if (from === null)
				from = to = Math.round(move > 0 ? lo : hi);
			to = Math.max(0, Math.min(bins, to + move));
		} else if (move) {
			const by = Math.max(-lo, Math.min(bins - hi, move));
			lo += by;
			hi += by;
		} else if (!together && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) {
			const n = lanes.indexOf(mine) + (e.key === 'ArrowDown' ? 1 : -1);
			mine = lanes[Math.max(0, Math.min(lanes.length - 1, n))];
			from = to = null;
		} else if (e.key === '+' || e.key === '=') {
			return zoom(0.8, (lo + hi) / 2);
		} else if (e.key === '-') {
			return zoom(1.25, (lo + hi) / 2);
		} else if (e.key === 'Home') {
			[lo, hi] = [0, bins];
		} else if (e.key === 'Escape') {
			from = to = null;
		} else {
			return undefined;
		}
		e.preventDefault();
		return tell();
	};
	const copy = make('button', {type: 'button'}, 'Copy the window');
	copy.onclick = () => put(words.textContent, 'window');
	const follows = all('table').filter((t) => (data.tables[t.id.slice(2)] || {columns: []})
		.columns.includes('start_ns')).map((t) => $('caption', t).textContent);
	holder.before(canvas, axis, make('div', {className: 'tools'}, make('span', {}, 'Window:'), words, copy,
		make('span', {className: 'dim'}, 'drag, or Shift and arrow keys; zoom: + and -, or Ctrl and wheel' +
		(together ? '' : '; each line has its own time: up and down choose one'))),
	make('p', {className: 'dim', id: 'follows'}, (follows.length ?
		'The selection filters these tables: ' + follows.join('; ') + '. Other tables' :
		'Tables') + ' show the whole run; for totals of a window, pass the -w above to a command.'));
	holder.classList.add('printed');
	window.addEventListener('resize', draw);
	window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
	tell();
})();
