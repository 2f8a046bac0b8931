import { useEffect, useMemo } from 'react'
import { days } from '../../worker/kit/time.ts'
import { useConfig } from './api.ts'
import type { Lifetime } from './auth/endpoints.ts'
import type { Result } from './auth/types.ts'
import { deployment } from './deployment.ts'
import { justSent, type Sent } from './just-sent.ts'
import { usePlace } from './place.ts'
import { typed } from './typed.ts'

// A signed-out screen that has sent a code or a link waits for it. Users leave the tab for their messages, and phones
// discard it meanwhile: the step is part of the history entry, with the tab's storage behind it. An address is never
// part of the URL.

type State = { sent?: Sent | null } | null

interface Kept extends Sent {
  /** The code or the link has been used, or another address is asked for. */
  over?: boolean
}

const keyOf = (path: string) => `${deployment.storage}sent:${path}`

function kept(path: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(path)) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

function keep(path: string, sent: Kept): void {
  try {
    sessionStorage.setItem(keyOf(path), JSON.stringify(sent))
  } catch {
    // The history entry holds it too.
  }
}

function currentOf(path: string, state: State, lifetime: number): Sent | null {
  // The entry of the form: the user came back for another address.
  if (state?.sent === null) return null
  const stored = kept(path)
  const isTyped = stored && (!typed.any() || typed.any() === stored.to)
  const sent = state?.sent ?? (isTyped ? stored : null)
  if (!sent || Date.now() > sent.at + lifetime * 1000) return null
  return stored?.over && stored.at >= sent.at ? null : sent
}

export interface SentStep {
  sent: Sent | null
  /** Something has been sent: a new history entry, so that Back leads to the form. */
  begin(to: string): void
  /** Waits for a message that is sent again. */
  again(sending: Promise<Result<unknown>>): Promise<Result<unknown>>
  /** The code or the link has been used. */
  finish(): void
  /** Leads back to the form. */
  back(): void
}

/** What this screen has sent, for the lifetime of the code or the link: it survives a reload. */
export function useSent(kind?: Lifetime): SentStep {
  const { lifetimes } = useConfig()
  const lifetime = (kind && lifetimes[kind]) ?? days(1)
  const place = usePlace()
  const state = place.useState() as State
  // What is shown stays after its lifetime: only a reload ends it.
  const sent = useMemo(() => currentOf(place.now().path, state, lifetime), [place, state, lifetime])
  useEffect(() => {
    if (sent) keep(place.now().path, sent)
  }, [place, sent])

  function go(next: Sent | null, replace: boolean) {
    const { path, search, state } = place.now()
    place.navigate(path + search, { replace, state: { ...(state as State), sent: next } })
  }
  const finish = () => sent && keep(place.now().path, { ...sent, to: '', over: true })
  return {
    sent,
    begin(to) {
      go(null, true)
      go({ ...justSent(to).sent, asked: true }, false)
    },
    async again(sending) {
      const answer = await sending
      if (sent && !answer.error) go({ ...sent, at: Date.now() }, true)
      return answer
    },
    finish,
    back() {
      finish()
      if ((place.now().state as State)?.sent?.asked) place.back()
      else go(null, true)
    },
  }
}
