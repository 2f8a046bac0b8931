/** An HTML answer without scripts. @param images origins of further images @param forms it posts to our own origin @param framed pages of ours show it in a frame @param fonts further ones */
export const page = (
  html: string,
  status = 200,
  images: readonly string[] = [],
  forms = false,
  framed = false,
  fonts: readonly string[] = [],
): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; font-src ${["'self'", ...fonts].join(' ')}; img-src ${[
        ...new Set(["'self'", ...images.map((image) => new URL(image).origin)]),
      ].join(
        ' ',
      )}; frame-ancestors ${framed ? "'self'" : "'none'"}; base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}`,
    },
  })
