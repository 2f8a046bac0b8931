/**
 * An HTML answer without any script; its one style sheet is its own.
 * @param image that it may show; an absolute address
 * @param forms whether it has forms, which lead back to it
 */
export const page = (html: string, status = 200, image: string | null = null, forms = false): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; ${
        image === null ? '' : `img-src ${new URL(image).origin}; `
      }frame-ancestors 'none'; base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}`,
    },
  })
