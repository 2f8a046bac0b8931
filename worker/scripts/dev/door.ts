import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The address of a development server. A restart of the Worker only delays the requests that arrive meanwhile. */
export interface Door {
  close(): void
}

/** Where requests go: the port of the runtime, once it may answer this path. */
export type PortOf = (path: string, accept: string) => Promise<number>

/** Listens on both names of this machine, which `localhost` may mean. */
export async function openDoor(port: number, portOf: PortOf): Promise<Door> {
  const sockets = new Set<Duplex>()
  const open = async (host: string): Promise<Server> => {
    const server = createServer((incoming, response) => void forward(incoming, response, portOf))
    server.on('upgrade', (incoming, socket, head) => void tunnel(incoming, socket, head, portOf))
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
    return server
  }
  const servers = [await open('127.0.0.1')]
  const close = () => {
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
  }
  try {
    servers.push(await open('::1'))
  } catch (thrown) {
    // A machine without IPv6 has no ::1.
    if ((thrown as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      close()
      throw thrown
    }
  }
  return { close }
}

const portFor = (incoming: IncomingMessage, portOf: PortOf) =>
  portOf(new URL(incoming.url!, 'http://localhost').pathname, incoming.headers.accept ?? '')

async function forward(incoming: IncomingMessage, response: ServerResponse, portOf: PortOf): Promise<void> {
  const { method, rawHeaders: headers } = incoming
  // wrangler's address of handlers, and the one of its runtime.
  const path = incoming.url!.replace(/^\/cdn-cgi\/handler\//, '/cdn-cgi/local/')
  const fail = (status: number, thrown: Error) => {
    if (response.headersSent) response.destroy()
    else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${thrown.message}\n`)
  }
  const port = await portFor(incoming, portOf).catch((thrown: Error) => fail(503, thrown))
  if (!port) return
  const outgoing: ClientRequest = request({ host: '127.0.0.1', port, method, path, headers, setHost: false })
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.statusMessage, answer.rawHeaders)
    answer.once('error', () => response.destroy()).pipe(response)
  })
  outgoing.once('error', (thrown) => fail(502, thrown))
  response.once('close', () => outgoing.destroy())
  incoming.once('error', () => outgoing.destroy()).pipe(outgoing)
}

/** A WebSocket. */
async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer, portOf: PortOf): Promise<void> {
  const port = await portFor(incoming, portOf).catch(() => null)
  if (!port) return void socket.destroy()
  const outgoing = connect(port, '127.0.0.1')
  for (const [one, other] of [
    [socket, outgoing],
    [outgoing, socket],
  ] as const) {
    one.once('error', () => other.destroy()).once('close', () => other.destroy())
  }
  const { rawHeaders } = incoming
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  outgoing.write(`${[`${incoming.method} ${incoming.url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  outgoing.write(head)
  socket.pipe(outgoing).pipe(socket)
}
