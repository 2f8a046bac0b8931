import deployment from '../index.ts'
import type { Env } from '../platform/env.ts'

// The Worker of `npm run bench -- --only far-away`: the deployment, whose stores are as far away as in the world, and whose
// responses say what they waited for.

export * from '../index.ts'

/** Milliseconds to the primary of D1 on another continent, to a replica nearby, to a Durable Object and to KV. */
const distance = { primary: 150, replica: 20, durable: 20, kv: 10 } as const
type Store = keyof typeof distance

interface Wait {
  store: Store
  from: number
  to: number
}

type Send = (endpoint: string, sql: unknown, ...rest: unknown[]) => Promise<unknown>

/** Calls in the same wait overlap. */
class Journey {
  readonly waits: Wait[] = []

  async to<T>(store: Store, work: () => T): Promise<Awaited<T>> {
    const from = Date.now()
    await new Promise((resolve) => setTimeout(resolve, distance[store]))
    const found = await work()
    this.waits.push({ store, from, to: Date.now() })
    return found
  }

  database(binding: D1Database): D1Database {
    const far = <S extends object>(session: S, isNear: boolean): S => {
      const { _send: send } = session as { _send?: Send }
      if (!send) throw new Error('The client of D1 has changed: bench/far-bindings.ts delays its calls.')
      const journey = this
      return Object.assign(session, {
        _send(this: unknown, endpoint: string, sql: unknown, ...rest: unknown[]) {
          const reads = [sql].flat().every((one) => /^\s*(?:select|with)\b/i.test(String(one)))
          return journey.to(isNear && reads ? 'replica' : 'primary', () => send.call(this, endpoint, sql, ...rest))
        },
      })
    }
    return new Proxy(binding, {
      get(target, key) {
        if (key === 'withSession') return (from: string) => far(target.withSession(from), from !== 'first-primary')
        const value = Reflect.get(target, key) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** A namespace of KV, or a stub of a Durable Object. */
  calls<T extends object>(target: T, store: Store): T {
    return new Proxy(target, {
      get: (_, key) => {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        const call = value as (...given: unknown[]) => unknown
        return (...given: unknown[]) => this.to(store, () => call.apply(target, given))
      },
    })
  }

  objects<T extends object>(namespace: DurableObjectNamespace): T {
    return new Proxy(namespace, {
      get: (target, key) => {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key !== 'get' && key !== 'getByName') return value.bind(target)
        return (...given: unknown[]) =>
          this.calls((value as (...all: unknown[]) => object).apply(target, given), 'durable')
      },
    }) as unknown as T
  }
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const journey = new Journey()
    const bindings = env as unknown as Record<string, DurableObjectNamespace>
    const far = {
      ...env,
      DB: journey.database(env.DB),
      KV: journey.calls(env.KV, 'kv'),
      ...Object.fromEntries(
        ['ONE_TIME', 'COUNTER', 'ENDED_SESSIONS', 'LIVE'].map((name) => [name, journey.objects(bindings[name]!)]),
      ),
    } as Env
    const answer = await deployment.fetch(request, far, context)
    const shown = new Response(answer.body, answer)
    shown.headers.set('x-waits', JSON.stringify(journey.waits))
    return shown
  },
  scheduled: deployment.scheduled,
} satisfies ExportedHandler<Env>
