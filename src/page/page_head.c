#include "src/page/page_head.h"

#include "src/chart/chart.h"
#include "src/page/page_html.h"
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

static const char *asset(const char *name)
{
    for (const struct page_asset *at = page_assets; at->name; at++)
        if (strcmp(at->name, name) == 0)
            return at->text;
    log_bug("a page has no %s", name);
}

/* The browser loads nothing, and runs the script with this digest only (W3C Content Security Policy Level 3). A page of
 * a run that goes on may ask its own server. */
static void put_policy(FILE *out, const char *script, bool live)
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = "";
    sha256_init(&hash);
    sha256_update(&hash, strlen(script), (const uint8_t *)script);
    sha256_digest(&hash, sizeof digest, digest);
    base64_encode_raw(text, sizeof digest, digest);
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            "img-src data:; script-src 'sha256-%s'%s; base-uri 'none'; form-action 'none'\">\n",
            text, live ? "; connect-src 'self'" : "");
}

void page_put_head(FILE *out, const char *const *titles, unsigned count, bool live)
{
    const char *const script = asset("page_script");
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    put_policy(out, script, live);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>simos: ",
          out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        page_text(out, titles[i]);
    }
    fprintf(out, "</title>\n<style>\n%s", asset("page_style"));
    chart_put_style(out);
    fprintf(out, "</style>\n<script>%s</script>\n</head>\n", script);
}
