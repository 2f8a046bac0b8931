/** The first version that wrangler 4 runs on, and that reads SQLite files. */
const least = [22, 12] as const

/** A sentence for a Node that is too old, or null. @param version such as `20.11.1` */
export function unsupportedNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > least[0] || (major === least[0] && minor >= least[1])) return null
  return `gatehouse needs Node ${least.join('.')} or newer, and this is Node ${version}: install it from https://nodejs.org, then run the command again.`
}
