// `npm run bench`: this Worker and a published server with the same protocol in one local workerd. Rounds are
// interleaved, every response is checked, and the output includes the baseline of the machine.

import { spawnSync } from 'node:child_process'
import { duration, minutes, only, profile, rounds, sockets, users } from './arguments.ts'
import { baselineCase, cases, remoteBaselineCase } from './cases.ts'
import { measureFarAway } from './far-away.ts'
import { measureFirstPaint } from './first-paint.ts'
import { killUnderWrites } from './kill.ts'
import { openLiveSockets } from './live-sockets.ts'
import { measure, quantile, type Round } from './load.ts'
import { from, proveCache, settle } from './people.ts'
import { inspectorPort, profileWorker } from './profile.ts'
import { measureScale } from './scale.ts'
import { installReference, type Server, startServers } from './servers.ts'
import { soak } from './soak.ts'
import { measureStartUp } from './start-up.ts'
import { measureWebhookBurst } from './webhook-burst.ts'
import { baseUrl } from './workers.ts'
import { measureWrites } from './writes.ts'

interface Row {
  name: string
  rate: number
  /** Milliseconds of processor time for each request, of the Worker and its database. */
  processor: number
  p50: number
  p99: number
}

function rowOf(name: string, measured: Round[]): Row {
  const latencies = measured.flatMap((round) => round.latencies)
  const rates = measured.map((round) => (round.latencies.length / round.elapsed) * 1000)
  const processor = measured.reduce((sum, round) => sum + round.processor, 0) / latencies.length
  return { name, rate: quantile(rates, 0.5), processor, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

/**
 * Measures several cases in turn, in another order each round, so that a disturbance of the machine affects all cases.
 */
async function interleave(
  runs: { name: string; round(milliseconds: number): Promise<Round> }[],
  length: number,
): Promise<Row[]> {
  const measured = new Map<string, Round[]>(runs.map(({ name }) => [name, []]))
  for (const { round } of runs) await round(length / 4)
  for (let n = 0; n < rounds; n++) {
    for (let at = 0; at < runs.length; at++) {
      const { name, round } = runs[(at + n) % runs.length]!
      measured.get(name)!.push(await round(length))
    }
  }
  return runs.map(({ name }) => rowOf(name, measured.get(name)!))
}

const cell = (number: number) => number.toFixed(number < 100 ? 1 : 0).padStart(9)
const line = ({ name, rate, processor, p50, p99 }: Row, note = '') =>
  console.log(`  ${name.padEnd(34)}${cell(rate)}${processor.toFixed(3).padStart(9)}${cell(p50)}${cell(p99)}   ${note}`)
const title = (text: string) =>
  console.log(`\n${text.padEnd(36)}${['req/s', 'CPU ms', 'p50 ms', 'p99 ms'].map((head) => head.padStart(9)).join('')}`)

// In a browser, and for this Worker only; selected by its name.
if (only === 'first-paint') {
  await measureFirstPaint(rounds)
  process.exit(0)
}

// For this Worker only.
if (only === 'webhook-burst') {
  await measureWebhookBurst()
  process.exit(0)
}

if (only === 'scale') {
  await measureScale(users)
  process.exit(0)
}

if (only === 'far-away') {
  await measureFarAway()
  process.exit(0)
}

if (only === 'writes') {
  await measureWrites()
  process.exit(0)
}

if (only === 'kill') {
  await killUnderWrites()
  process.exit(0)
}

if (only === 'soak') {
  await soak(minutes)
  process.exit(0)
}

if (only === 'live-sockets') {
  await openLiveSockets(sockets)
  process.exit(0)
}

await installReference(async (folder) => {
  console.log('Installing the reference (once) ...')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('The reference could not be installed: it needs the network once.')
})

// A new workerd for each start; selected by its name.
if (only === 'start-up') {
  await measureStartUp(rounds)
  process.exit(0)
}

console.log(`Bundling and starting the Workers; then ${rounds} rounds of ${duration / 1000} s for each row ...`)
const { servers, stop } = await startServers(profile ? inspectorPort : undefined)
try {
  const { baseline, gatehouse, reference, 'reference-shared': shared, before: earlier } = servers
  for (const server of [reference, shared, gatehouse, ...(earlier ? [earlier] : [])]) {
    await settle(server)
    await proveCache(server)
  }

  if (!profile) title('the baseline of this machine')
  const paths = [
    ['/constant', 8],
    ['/cookie', 8],
    ['/select', 8],
    ['/batch', 8],
    ['/update', 8],
    ['/scrypt', 2],
  ] as const
  for (const [path, connections] of profile ? [] : paths) {
    const { next, check } = baselineCase(path)
    const round = (length: number) => measure(baseline.url, connections, length, () => next(baseline, 0), check)
    for (const row of await interleave([{ name: path.slice(1), round }], duration / 2)) line(row)
  }

  for (const { name, connections, baseline: path, remote, alone, next, check, before, after } of cases.filter((one) =>
    one.name.includes(only),
  )) {
    const runOf = (label: string, server: Server) => ({
      name: label,
      round: async (length: number) => {
        await before?.(server)
        let n = 0
        const round = await measure(
          remote ? server.neighbourUrl : server.url,
          connections,
          length,
          () => {
            const call = next(server, n++)
            return {
              ...call,
              headers: { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers },
            }
          },
          (reply, call) => {
            try {
              check(reply, call)
            } catch (thrown) {
              throw new Error(`${label}: ${call.method} ${call.path}`, { cause: thrown })
            }
          },
        )
        await after?.(server)
        return round
      },
    })
    if (profile) {
      const { round } = runOf('Gatehouse', gatehouse)
      await round(duration)
      title(name)
      await profileWorker('gatehouse', () => round(duration * 2))
      continue
    }
    const least = remote ? remoteBaselineCase(path) : baselineCase(path)
    const rows = await interleave(
      [
        runOf('Gatehouse', gatehouse),
        ...(earlier && !alone ? [runOf('Gatehouse before', earlier)] : []),
        ...(alone
          ? []
          : [runOf('reference, instance per request', reference), runOf('reference, instance per isolate', shared)]),
        {
          name: `baseline: ${path.slice(1)}`,
          round: (length) =>
            measure(
              remote ? baseline.neighbourUrl : baseline.url,
              connections,
              length,
              () => least.next(baseline, 0),
              least.check,
            ),
        },
      ],
      duration,
    )
    title(`${name}, ${connections} connections`)
    const [ours, ...others] = rows as [Row, ...Row[]]
    line(ours)
    for (const other of others) {
      const isBaseline = other.name.startsWith('baseline')
      const work = (ours.processor / other.processor).toFixed(2)
      line(
        other,
        isBaseline
          ? `Gatehouse needs ${work} of this processor time`
          : `Gatehouse is ${(ours.rate / other.rate).toFixed(2)} times as fast, with ${work} of this processor time`,
      )
    }
  }
  console.log('')
} finally {
  await stop()
}
