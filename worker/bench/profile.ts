/** A profile of the CPU by V8, over the inspector of workerd. */

interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

export const inspectorPort = 9329

interface Inspector {
  send(method: string, params?: object): Promise<{ profile?: CpuProfile }>
  close(): void
}

/** Connects to the inspector of a Worker. */
async function inspect(worker: string): Promise<Inspector> {
  const listed = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    id: string
    webSocketDebuggerUrl: string
  }[]
  const target = listed.find(({ id }) => id.endsWith(`:${worker}`))
  if (!target) throw new Error(`${worker} is not inspected`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: { profile?: CpuProfile }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: object }
    if (id !== undefined) waiting.get(id)?.(result ?? {})
  })
  let sent = 0
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++sent, resolve)
        socket.send(JSON.stringify({ id: sent, method, params }))
      }),
    close: () => socket.close(),
  }
}

/** Prints the functions of a Worker that use the processor while `work` runs. @returns the result of `work` */
export async function profileWorker(worker: string, work: () => Promise<{ latencies: number[] }>): Promise<void> {
  const inspector = await inspect(worker)
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.setSamplingInterval', { interval: 100 })
  await inspector.send('Profiler.start')
  const { latencies } = await work()
  const { profile } = await inspector.send('Profiler.stop')
  inspector.close()
  print(profile!, latencies.length)
}

function print({ nodes, samples, timeDeltas }: CpuProfile, requests: number): void {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<number, number>()
  for (const [at, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + timeDeltas[at]!)
  const nameOf = ({ callFrame: { functionName, url, lineNumber } }: CpuProfile['nodes'][number]) =>
    `${functionName || '(anonymous)'} ${url.split('/').at(-1)}:${lineNumber + 1}`
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  const walk = (id: number, within: ReadonlySet<string>): number => {
    const node = byId.get(id)!
    const name = nameOf(node)
    const inner = new Set(within).add(name)
    let time = own.get(id) ?? 0
    self.set(name, (self.get(name) ?? 0) + time)
    for (const child of node.children ?? []) time += walk(child, inner)
    // A recursive call counts once.
    if (!within.has(name)) total.set(name, (total.get(name) ?? 0) + time)
    return time
  }
  walk(nodes[0]!.id, new Set())
  const show = (title: string, times: Map<string, number>, count: number) => {
    console.log(`\n  ${title}, microseconds a request (${requests} requests)`)
    for (const [name, time] of [...times].sort(([, a], [, b]) => b - a).slice(0, count))
      console.log(`  ${(time / requests).toFixed(1).padStart(9)}  ${name}`)
  }
  show('own time', self, 45)
  show('with the functions it calls', total, 70)
}
