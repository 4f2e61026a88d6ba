# The README's two commands on fresh machines: needs root and debootstrap, and takes half an hour a release; not a part of
# `make test`. `make test-hosts HOSTS=trixie` for one of them.
HOSTS := bookworm trixie

.PHONY: test-hosts
test-hosts: | build/.deps-hosts
	@tests/hosts/run.sh build/hosts $(HOSTS)
