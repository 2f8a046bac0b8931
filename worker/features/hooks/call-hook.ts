import type { Scope } from '../../identity/scope.ts'
import { HookRefusal } from '../../kit/errors.ts'
import { bounded, patience } from '../../platform/bounded.ts'
import { reasonOf } from '../../platform/log.ts'
import { type HookContext, type Hooks, hookOptions, type Refusal } from './hooks.config.ts'

type EventOf<N extends keyof Hooks> = Parameters<NonNullable<Hooks[N]>>[0]

const contextOf = (scope: Scope): HookContext => {
  const { ip, place, userAgent } = scope.request
  return {
    env: scope.env,
    request: { ip, ...place, language: scope.language, userAgent },
    after: (work) => scope.after(work),
  }
}

/**
 * Asks a hook in -ing.
 * @returns what it would change
 * @throws HookRefusal where it refuses; Fault where it throws, takes too long, or answers what it may not
 */
export async function ask<N extends 'creatingUser' | 'updatingUser' | 'deletingUser' | 'signingIn'>(
  scope: Scope,
  name: N,
  event: () => EventOf<N>,
): Promise<Record<string, unknown>> {
  const hook = hookOptions.of(scope)[name] as ((event: EventOf<N>, context: HookContext) => unknown) | null
  if (!hook) return {}
  return bounded(
    `the hook ${name}`,
    patience.necessity,
    async () => {
      // A copy: what a hook is told is not what is written, nor what the next one is told.
      const verdict = (await hook(structuredClone(event()), contextOf(scope))) as
        | { refuse?: Refusal; change?: object }
        | undefined
      if (verdict?.refuse) throw refusal(verdict.refuse)
      return { ...verdict?.change }
    },
    (thrown) => thrown instanceof HookRefusal,
  )
}

function refusal({ code, message, status = 403 }: Refusal): HookRefusal {
  // A browser may be sent on with the code, so it is what an error page shows.
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) throw new Error(`a refusal needs a code such as NOT_INVITED, not ${code}`)
  if (!(status >= 400 && status < 500)) throw new Error(`a refusal is 400 to 499, not ${status}`)
  return new HookRefusal(status, code, String(message))
}

type Reaction = Exclude<keyof Hooks, Parameters<typeof ask>[1]>

/** Tells a hook of something that has happened, when the answer is out. */
export function tell<N extends Reaction>(scope: Scope, name: N, event: () => EventOf<N>): void {
  const hook = hookOptions.of(scope)[name] as ((event: EventOf<N>, context: HookContext) => unknown) | null
  if (!hook) return
  const told = structuredClone(event())
  scope.after(async () => {
    try {
      await bounded(`the hook ${name}`, patience.necessity, async () => hook(told, contextOf(scope)))
    } catch (thrown) {
      scope.log('error', 'hook-failed', { hook: name, reason: reasonOf(thrown) })
    }
  })
}
