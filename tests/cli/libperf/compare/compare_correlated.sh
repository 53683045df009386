# 16 repeats on each side, one after the other in its file: 2000 + 10 k and 2085 + 10 k us for the same
# order of k.  Medians 2075 and 2160: 4.1 % slower.  Of the 256 pairs BASE is larger in 28, so as independent values
# z = (100 - 0.5) / sqrt(256 x 33 / 12) = 3.75 and p = 0.00018.  They are not independent: with ranks, and s^2 over
# n - 1, the sums of d_i d_(i-1) / s^2 are 13.0 in all (below 3.09 sqrt 32 = 17.5), so
#     r = (13.0 / 30 + 2 / 32) / (1 - 8 / 32) = 0.66      n_eff = 16 / g(16) = 16 / 4.2 = 3.8
# and no difference is shown.  In files of their own the same repeats are independent runs: slower.
side() { # NAME FIRST
	mkdir "$1.d"
	echo kernel,us >"$1.csv"
	i=10
	for k in 1 4 0 2 12 9 14 11 15 7 3 5 6 10 13 8; do
		i=$((i + 1))
		echo "k,$(($2 + 10 * k))" | tee -a "$1.csv" | sed '1ikernel,us' >"$1.d/$i.csv"
	done
}
side base 2000
side new 2085
for s in csv d; do
	libperf compare -q -f csv --columns problem,status,base_us,new_us,significant,note --key kernel base.$s new.$s
done
