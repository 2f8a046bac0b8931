import type { Scope } from '../../identity/scope.ts'
import { HookRefusal } from '../../kit/errors.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { reasonOf } from '../../platform/log.ts'
import { type HookContext, type Hooks, hookOptions, type Refusal } from './hooks.config.ts'

type EventOf<N extends keyof Hooks> = Parameters<NonNullable<Hooks[N]>>[0]

/** The facts about the request for a hook. */
export function hookRequestOf(scope: Scope): HookContext['request'] {
  const { ip, place, userAgent } = scope.request
  return { ip, ...place, language: scope.language, userAgent }
}

const contextOf = (scope: Scope, request = hookRequestOf(scope)): HookContext => ({
  env: scope.env,
  request,
  after: (work) => scope.after(work),
})

/** Calls a hook in -ing. @returns its changes @throws HookRefusal; Fault for an exception, time-out, invalid value */
export async function askHook<N extends 'creatingUser' | 'updatingUser' | 'deletingUser' | 'signingIn' | 'assessing'>(
  scope: Scope,
  name: N,
  event: () => EventOf<N>,
): Promise<Record<string, unknown>> {
  const hook = hookOptions.of(scope)[name] as ((event: EventOf<N>, context: HookContext) => unknown) | null
  if (!hook) return {}
  return bounded(
    `the hook ${name}`,
    timeouts.required,
    async () => {
      // A copy: a hook cannot change the values that are written or passed to the next one.
      const verdict = (await hook(structuredClone(event()), contextOf(scope))) as
        | { refuse?: Refusal; change?: object; raise?: object }
        | undefined
      if (verdict?.refuse) throw refusal(verdict.refuse)
      return { ...(verdict?.change ?? verdict?.raise) }
    },
    (thrown) => thrown instanceof HookRefusal,
  )
}

function refusal({ code, message, status = 403 }: Refusal): HookRefusal {
  // An error page shows the code after a redirect.
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) throw new Error(`a refusal needs a code such as NOT_INVITED, not ${code}`)
  if (!(status >= 400 && status < 500)) throw new Error(`a refusal is 400 to 499, not ${status}`)
  return new HookRefusal(status, code, String(message))
}

type Reaction = Exclude<keyof Hooks, Parameters<typeof askHook>[1]>

/** Calls a hook after the response. */
export function notifyHook<N extends Reaction>(scope: Scope, name: N, event: () => EventOf<N>): void {
  if (!hookOptions.of(scope)[name]) return
  const copy = structuredClone(event())
  scope.after(() => call(scope, name, copy).catch(() => {}))
}

/** Calls a hook in the past tense, and waits for it. @throws its error or a time-out, after it was logged */
export async function call<N extends Reaction>(
  scope: Scope,
  name: N,
  event: EventOf<N>,
  request?: HookContext['request'],
): Promise<void> {
  const hook = hookOptions.of(scope)[name] as ((event: EventOf<N>, context: HookContext) => unknown) | null
  if (!hook) return
  try {
    await bounded(`the hook ${name}`, timeouts.required, async () => hook(event, contextOf(scope, request)))
  } catch (thrown) {
    scope.log('error', 'hook-failed', { hook: name, reason: reasonOf(thrown) })
    throw thrown
  }
}
