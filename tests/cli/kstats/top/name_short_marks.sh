# Lambdas of one function are kernels of their own: GELU by tanh (#1) and by erf (#2) are two rows at --name
# short, told apart by the mark behind the name, and lines that fit still show it.  At --name base both
# are PyTorch's launcher, 3 + 5 us.
cat >k_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#3}::operator()() const::{lambda(c10::Half)#1}, std::array<char*, 2ul> >(int, int)",1,3000,3000,37.5,3000,3000,0
"void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#3}::operator()() const::{lambda(c10::Half)#1}, std::array<char*, 2ul> >(int, int)",1,5000,5000,62.5,5000,5000,0
END
kstats top -f csv --name short --columns calls,total_ns,name k_kernel_stats.csv
kstats top -f csv --name base --columns calls,total_ns,name k_kernel_stats.csv
COLUMNS=60 kstats top --name short --columns total_ns,name k_kernel_stats.csv
