# gcc 3.4.6 for the H8/300H, Debian's gcc-h8300-hms: integers and pointers of 32 bits. The headers are those of this system, which
# ask for the three names of a 32-bit MIPS; COFF has no hidden symbols.
CC := h8300-hitachi-coff-gcc
AR := h8300-hitachi-coff-ar
CFLAGS := -mh -mint32 -D_LARGEFILE64_SOURCE=1 -D_MIPS_SIM=1 -D_ABIO32=1 -D_MIPS_SZPTR=32 \
	-isystem /usr/include/mipsel-linux-gnu -isystem /usr/include
# Headers of COFF hold the time.
CHECKSUMS := for object in *.o; do h8300-hitachi-coff-objdump -s -r -t "$$object" | sha256sum; done
