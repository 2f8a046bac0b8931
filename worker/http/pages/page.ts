/**
 * An HTML answer without any script; its one style sheet is its own.
 * @param images that it may show besides ours; absolute addresses
 * @param forms whether it has forms, which lead back to it
 */
export const page = (html: string, status = 200, images: readonly string[] = [], forms = false): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src ${[
        ...new Set(["'self'", ...images.map((image) => new URL(image).origin)]),
      ].join(' ')}; frame-ancestors 'none'; base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}`,
    },
  })
