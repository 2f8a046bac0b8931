import { createHash } from 'node:crypto'
import { interceptOutside } from './intercept.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/**
 * The range service of Have I Been Pwned as documented: a prefix of five characters returns hundreds of suffixes with
 * their counts; with `Add-Padding: true` 800 to 1,000 lines, of which padding lines have a count of 0.
 */
export class PasswordRanges {
  /** The requested prefixes. */
  readonly asked: string[] = []
  private readonly leaked = new Set<string>()
  private readonly padding: string[] = []
  private trouble: Trouble | { status: number } | null = null

  constructor(readonly url = 'https://api.pwnedpasswords.com/range') {}

  leak(password: string): this {
    this.leaked.add(sha1(password))
    return this
  }

  /** The hash of a password appears as padding, which has no meaning. */
  pad(password: string): this {
    this.padding.push(sha1(password))
    return this
  }

  breakDown(trouble: Trouble | { status: number } | null): void {
    this.trouble = trouble
  }

  /** Sends all outside requests to this fake, which rejects other addresses. Restore with vi.restoreAllMocks(). */
  install(): this {
    interceptOutside((request, signal) => this.receive(request, signal))
    return this
  }

  private async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    if (typeof this.trouble === 'string') return inTrouble(this.trouble, signal)
    if (this.trouble) return new Response('', { status: this.trouble.status })
    const prefix = new RegExp(`^${this.url}/([0-9A-F]{5})$`, 'i').exec(request.url)?.[1]
    if (!prefix || request.method !== 'GET') {
      return new Response('The hash prefix was not in a valid format', { status: 400 })
    }
    if (!request.headers.get('user-agent')) return new Response('Forbidden', { status: 403 })
    this.asked.push(prefix)
    const suffixes = (hashes: Iterable<string>, times: number) =>
      [...hashes].filter((hash) => hash.startsWith(prefix.toUpperCase())).map((hash) => `${hash.slice(5)}:${times}`)
    const lines = [...suffixes(this.leaked, 42), ...suffixes(this.padding, 0)]
    const padded = request.headers.get('add-padding') === 'true' ? 800 : 500
    for (let n = lines.length; n < padded; n++)
      lines.push(`${sha1(`${prefix}-${n}`).slice(5)}:${padded === 800 ? 0 : 3}`)
    return new Response(lines.sort().join('\r\n'), { headers: { 'content-type': 'text/plain' } })
  }
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
