/** A resource indicator in the one form that is compared (RFC 8707, section 2): as the URL parser writes it. */
export const normalResource = (resource: string): string =>
  URL.canParse(resource) ? new URL(resource).href.replace(/\/$/, '') : resource
