import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { before } from './arguments.ts'
import { quantile } from './load.ts'
import { processorTime } from './processor-time.ts'
import {
  bundles,
  convertV4MiniflareOptions,
  gatehouseWorker,
  Miniflare,
  type onLoopback,
  referenceWorker,
} from './workers.ts'

interface Start {
  /** From the start of workerd to the first response. */
  wall: number
  /** Processor time of workerd until then. */
  processor: number
}

type Worker = ReturnType<typeof onLoopback>

async function start(worker: Worker, path: string): Promise<Start> {
  const begin = performance.now()
  const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, workers: [worker] }))
  try {
    const url = await miniflare.unsafeGetDirectURL(worker.name)
    const answer = await fetch(new URL(path, url))
    if (answer.status !== 200) throw new Error(`${worker.name}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    return { wall: performance.now() - begin, processor: processorTime() }
  } finally {
    await miniflare.dispose()
  }
}

const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`

/**
 * Prints the size of each Worker, and the time from the start of workerd to the first response of each beyond that of an
 * empty Worker with the same bindings.
 */
export async function measureStartUp(rounds: number): Promise<void> {
  const gatehouse = await bundles.gatehouse()
  const earlier = join(gatehouse, '../before.js')
  if (before) copyFileSync(before, earlier)
  const files: Record<string, string> = {
    Gatehouse: gatehouse,
    ...(before ? { before: earlier } : {}),
    reference: await bundles.reference(),
  }
  const empty = join(gatehouse, '../empty.js')
  writeFileSync(
    empty,
    `import { DurableObject } from 'cloudflare:workers'
     export class OneTimeRecord extends DurableObject {}
     export { OneTimeRecord as Counter, OneTimeRecord as EndedSessions, OneTimeRecord as LiveChannel }
     export default { fetch: () => Response.json(null) }`,
  )
  const workers: Record<string, Worker> = {
    'empty Worker': gatehouseWorker(empty),
    Gatehouse: gatehouseWorker(gatehouse),
    ...(before ? { before: gatehouseWorker(earlier) } : {}),
    reference: referenceWorker(files.reference!, 'reference', 'isolate'),
  }
  const measured = new Map<string, Start[]>(Object.keys(workers).map((name) => [name, []]))
  for (let n = 0; n <= rounds; n++) {
    for (const [name, worker] of Object.entries(workers)) {
      const one = await start(worker, '/api/auth/get-session')
      // The first round fills the caches of the machine.
      if (n > 0) measured.get(name)!.push(one)
    }
  }
  const median = (name: string, key: keyof Start) =>
    quantile(
      measured.get(name)!.map((one) => one[key]),
      0.5,
    )
  console.log(`\nstart-up in workerd until the first response, beyond an empty Worker (median of ${rounds})`)
  for (const [name, file] of Object.entries(files)) {
    const [wall, processor] = (['wall', 'processor'] as const).map((key) =>
      (median(name, key) - median('empty Worker', key)).toFixed(0).padStart(6),
    )
    const size = `${kibibytes(statSync(file).size)}, ${kibibytes(gzipSync(readFileSync(file)).length)} gzip`
    console.log(`  ${name.padEnd(12)}${wall} ms, of processor time ${processor} ms   ${size}`)
  }
}
