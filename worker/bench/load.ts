import { connect, type Socket } from 'node:net'
import { processorTime } from './processor-time.ts'

// The client shares the machine with the measured server, so it does the minimum: plain HTTP/1.1 over sockets, one
// request at a time on each.

export interface Call {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: object
  /** Sent as it is, in latin1, with the content type of the headers. */
  text?: string
}

export interface Reply {
  status: number
  /** The header section as received, with unchanged case. */
  head: string
  text: string
}

/** The result of one round: its duration, the processor time of workerd and the duration of each request (ms). */
export interface Round {
  elapsed: number
  processor: number
  latencies: number[]
}

/** The values of a header, in order. */
export const headerValues = ({ head }: Reply, name: string): string[] =>
  [...head.matchAll(new RegExp(`^${name}: (.*)$`, 'gim'))].map(([, value]) => value!.trim())

/** The body of a chunked message (RFC 9112, section 7.1), or null if it is incomplete. */
function joinChunks(body: string): string | null {
  if (!body.endsWith('0\r\n\r\n')) return null
  let text = ''
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.slice(at, end), 16)
    if (length === 0) return text
    text += body.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
}

/** One persistent connection. Lengths are counted in characters, because the measured responses are ASCII. */
export class Connection {
  private readonly socket: Socket
  private received = ''
  private settle: { resolve(reply: Reply): void; reject(reason: Error): void } | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (data: string) => {
      this.received += data
      const reply = this.read()
      if (!reply) return
      this.received = ''
      this.settle?.resolve(reply)
    })
    socket.on('error', (error) => this.settle?.reject(error))
    socket.on('close', () => this.settle?.reject(new Error('the server closed the connection')))
  }

  static async open({ hostname, port }: URL): Promise<Connection> {
    const socket = connect({ host: hostname, port: Number(port) })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new Connection(socket)
  }

  private read(): Reply | null {
    const end = this.received.indexOf('\r\n\r\n')
    if (end < 0) return null
    const head = this.received.slice(0, end)
    const body = this.received.slice(end + 4)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)
    if (length && body.length < Number(length[1])) return null
    const text = length ? body : joinChunks(body)
    return text === null ? null : { status: Number(head.slice(9, 12)), head, text }
  }

  ask({ method, path, headers, body, text }: Call): Promise<Reply> {
    let message = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n`
    for (const name in headers) message += `${name}: ${headers[name]}\r\n`
    if (body) {
      const content = JSON.stringify(body)
      message += `content-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n${content}`
    } else if (text !== undefined) message += `content-length: ${text.length}\r\n\r\n${text}`
    else message += '\r\n'
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) throw new Error('the server has closed the connection')
      this.settle = { resolve, reject }
      this.socket.write(message, 'latin1')
    })
  }

  close(): void {
    this.settle = undefined
    this.socket.destroy()
  }
}

/**
 * Keeps `connections` connections busy for `duration` (ms).
 * @param check throws for an invalid response, which ends the benchmark
 */
export async function measure(
  origin: URL,
  connections: number,
  duration: number,
  next: () => Call,
  check: (reply: Reply, call: Call) => void,
): Promise<Round> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(origin)))
  const latencies: number[] = []
  const used = processorTime()
  const start = performance.now()
  await Promise.all(
    opened.map(async (connection) => {
      while (performance.now() - start < duration) {
        const call = next()
        const sent = performance.now()
        const reply = await connection.ask(call)
        latencies.push(performance.now() - sent)
        check(reply, call)
      }
    }),
  )
  const elapsed = performance.now() - start
  const processor = processorTime() - used
  for (const connection of opened) connection.close()
  return { elapsed, processor, latencies }
}

/** The quantile of the numbers for the given share. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
