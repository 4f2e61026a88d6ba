# What a release consists of (docs/how-to/release.md).
#
#   make wheel          build/release/simoslab-VERSION-py3-none-PLATFORM.whl: the Python package with program and guest inside
#   make site           build/site: the pages as HTML
#   make release        build/release: all of it
#   make bundle-sources build/bundle-sources.tar: Debian's source packages of the bundle of build/release
#   make test-wheel     the wheel on fresh machines (not in make test)
#   make test-release   the same, and a second release that must have the same bytes
#   make release-update pins newer Python packages for all of these (.ci/release/requirements.txt)
#
# The same commit gives the same bytes: files are as old as the last entry of debian/changelog.
RELEASE := build/release
PACKAGING := build/packaging
RELEASE_ENVIRONMENT := $(PACKAGING)/venv
SITE := build/site
RELEASE_EPOCH = $(shell sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1 | date -u -f - +%s)

$(RELEASE_ENVIRONMENT)/.ready: tests/python/environment.sh .ci/release/requirements.txt | build/.deps-python
	@tests/python/environment.sh $(PYTHON) $(RELEASE_ENVIRONMENT) .ci/release/requirements.txt
	@touch $@

.PHONY: release-update
release-update: | build/.deps-python
	@.ci/release/pin.sh $(PYTHON)

# The program for other machines: with a libarchive that holds nothing but what simos calls. The whole one reads XML, for which
# it takes 40 MB of libraries.
# Without a build ID, which is a sum of the debug information, too, and so of the folder in which it was compiled.
PORTABLE := $(PACKAGING)/simos
ARCHIVE_PARTS := -l:libarchive.a -lnettle -llzma -lbz2 -l:libzstd.so.1
$(PORTABLE): $(PROGRAM_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id=none -Wl,-Map,$@.map -o $@ $^ $(LIBS:-larchive=$(ARCHIVE_PARTS))

.PHONY: wheel
wheel: $(PORTABLE) guest $(SITE)/index.html | build/.deps-release
	+@SOURCE_DATE_EPOCH=$(RELEASE_EPOCH) .ci/release/wheel.sh $(MAKE) $(VERSION) $(PORTABLE) $(SITE) $(PACKAGING) $(RELEASE)

# The pages as a site, with a search that needs no server (docs/site/conf.py); links that lead nowhere end it.
SITE := build/site
.PHONY: site
site: $(SITE)/index.html
$(SITE)/index.html: $(RELEASE_ENVIRONMENT)/.ready docs/site/conf.py Makefile $(wildcard *.md docs/*.md docs/*/*.md docs/*.svg docs/*/*.svg)
	@rm -rf $(SITE)
	@SOURCE_DATE_EPOCH=$(RELEASE_EPOCH) $(RELEASE_ENVIRONMENT)/bin/sphinx-build -q -W --keep-going -b html \
	    -d $(PACKAGING)/doctrees -c docs/site . $(SITE)
	@rm -f $(SITE)/objects.inv $(SITE)/.buildinfo
	@cp $(SITE)/README.html $@
	@echo "$@: $$(find $(SITE) -name '*.html' | wc -l) pages"

# Everything: sources, packages for DEBIANS, wheel, bundle, pages, list of parts, sums.
DEBIANS := bookworm trixie
.PHONY: release
release: wheel | build/.deps-release build/.deps-hosts
	+@SOURCE_DATE_EPOCH=$(RELEASE_EPOCH) .ci/release/release.sh $(VERSION) $(PACKAGING) $(RELEASE) $(DEBIANS)

.PHONY: bundle-sources
bundle-sources: | build/.deps-release
	@[ -f $(PACKAGING)/all-parts.tsv ] || { echo "bundle-sources: make release first" >&2; exit 2; }
	@grep '^bundle' $(PACKAGING)/all-parts.tsv | SOURCE_DATE_EPOCH=$(RELEASE_EPOCH) .ci/release/sources.sh build/$@.tar .ci/release/licences.tsv

# The wheel on fresh machines (root, debootstrap; ROOTS: root file systems with Python, such as `podman export` unpacks), and
# whether everything made anew has the same bytes. An hour.
ROOTS :=
.PHONY: test-wheel test-release
test-wheel: wheel $(BUILD)/simos | build/.deps-hosts
	@tests/hosts/site.sh $(SITE)
	@tests/hosts/wheel.sh $(RELEASE)/simoslab-*.whl $(BUILD)/simos build/hosts/wheel $(DEBIANS) $(ROOTS)
test-release: release test-wheel
	@rm -rf build/again
	+@$(MAKE) --no-print-directory BUILD=build/again RELEASE=build/again/release PACKAGING=build/again/packaging SITE=build/again/site release
	@diff $(RELEASE)/SHA256SUMS build/again/release/SHA256SUMS
	@echo "release: the same bytes twice"
