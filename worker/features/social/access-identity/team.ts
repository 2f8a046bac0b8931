/** The host of a team of Cloudflare Access: its issuer, and the place of its keys. */
export const hostOfTeam = (team: string): string => `${team}.cloudflareaccess.com`
