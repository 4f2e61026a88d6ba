create docs/how-to/toy.md <<'END'
# Make the toy page

    make toy                # build/toy/index.html: how many instructions a run had
END
