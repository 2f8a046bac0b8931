import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { quantile } from './load.ts'
import { ask, bundleOfOne, newStorage, type OneServer, signUpOf, startOne, usageOf } from './one-server.ts'
import { cookieOf, grow } from './scale.ts'
import { baseUrl } from './workers.ts'

/** An object per user has a database, which needs three handles while it is awake; a user has at most 50 tabs. */
const maxUsers = 400
/** Sockets that are opened at the same time. */
const atOnce = 100
/** Milliseconds after which workerd puts an idle object to sleep, with a margin. */
const asleepAfter = 20_000
const measuredFor = 20_000
/** Users who make a change while their objects sleep. */
const awakened = 50

/** One open connection. */
interface Tab {
  socket: Socket
  /** Resolves with the time of the next message. */
  next(): Promise<number>
}

async function open({ url }: OneServer, cookie: string): Promise<Tab> {
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  let received: (() => void) | undefined
  const first = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString('latin1'))).once('error', reject)
  })
  socket.write(
    [
      'GET /api/auth/live HTTP/1.1',
      'host: localhost',
      `origin: ${baseUrl}`,
      `cookie: ${cookie}`,
      'cf-connecting-ip: 203.0.113.7',
      'upgrade: websocket',
      'connection: Upgrade',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  const head = await first
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(head.slice(0, 300))
  socket.on('data', () => received?.())
  return {
    socket,
    next: () =>
      new Promise((resolve) => {
        received = () => resolve(performance.now())
      }),
  }
}

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

/** The share of one core (%) and the memory (MB) of a process over some time. */
async function measureIdle({ pid }: OneServer, time: number) {
  const begin = usageOf(pid)!
  await wait(time)
  const end = usageOf(pid)!
  return { share: ((end.cpu - begin.cpu) / time) * 100, memory: end.memory, handles: end.handles }
}

/**
 * Opens idle connections of the live channel and prints what workerd uses: with open objects, and after they have gone
 * to sleep. Then some users change something: the time until their tabs know.
 */
export async function openLiveSockets(count: number): Promise<void> {
  const script = await bundleOfOne()
  const { folder, remove } = newStorage()
  const server = await startOne(script, folder)
  const opened: Tab[] = []
  try {
    if (!usageOf(server.pid)) throw new Error('this benchmark reads /proc, which this system does not have')
    const { text } = await ask(server.url, signUpOf('template@bench.example'))
    const userId = (JSON.parse(text) as { user: { id: string } }).user.id
    const users = Math.min(maxUsers, Math.ceil(count / 5))
    await ask(server.url, {
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email: 'template@bench.example', password: 'correct horse battery staple' },
    })
    await grow(server.database, { userId, organizationId: '' }, 0, users)
    await wait(5000)
    const empty = await measureIdle(server, measuredFor)

    const begin = performance.now()
    const cpuBefore = usageOf(server.pid)!.cpu
    for (let n = 0; n < count; n += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - n) }, (_, at) => cookieOf((n + at) % users))
      opened.push(...(await Promise.all(some.map((cookie) => open(server, cookie)))))
    }
    const seconds = (performance.now() - begin) / 1000
    const perOpening = (usageOf(server.pid)!.cpu - cpuBefore) / count
    const awake = usageOf(server.pid)!
    await wait(asleepAfter)
    const asleep = await measureIdle(server, measuredFor)
    const closed = opened.filter(({ socket }) => socket.destroyed || socket.readyState !== 'open').length
    if (closed > 0) throw new Error(`${closed} connections were closed`)

    const delays = await Promise.all(
      Array.from({ length: awakened }, async (_, n) => {
        const sent = performance.now()
        const arrived = opened[n]!.next()
        await wait(n * 20)
        const at = performance.now()
        const call = { method: 'POST' as const, path: '/api/auth/update-user', headers: { cookie: cookieOf(n) } }
        await ask(server.url, { ...call, body: { name: `Person ${n}` } })
        const late = wait(10_000).then(() => Number.POSITIVE_INFINITY)
        return { delay: (await Promise.race([arrived, late])) - at, sent }
      }),
    )
    const times = delays.map(({ delay }) => delay)
    if (times.some((time) => time === Number.POSITIVE_INFINITY)) throw new Error('a message was lost')

    const memory = (now: number) =>
      `${now.toFixed(0)} MB, ${(((now - empty.memory) * 1024) / count).toFixed(1)} KB each`
    console.log(
      `\n${count} connections of ${users} users, opened in ${seconds.toFixed(0)} s, ${perOpening.toFixed(2)} ms of CPU each`,
    )
    console.log(
      `  without connections: ${empty.memory.toFixed(0)} MB, ${empty.share.toFixed(2)} % of a core, ${empty.handles} handles`,
    )
    console.log(`  after the last one:  ${memory(awake.memory)}, ${awake.handles} handles`)
    console.log(
      `  asleep:              ${memory(asleep.memory)}, ${asleep.share.toFixed(2)} % of a core, ${asleep.handles} handles`,
    )
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(0))
    console.log(`  from a request that changes something to the message: p50 ${p50} ms, p99 ${p99} ms\n`)
  } finally {
    for (const { socket } of opened) socket.destroy()
    await server.stop()
    remove()
  }
}
