import { navigate, useHistoryState } from 'wouter/use-browser-location'

/**
 * The second step of the sign-in is a history entry with the address, number or name of the first one: Back leads to
 * the field, and a reload keeps the step. Nothing of it is in the URL, and no request is made between the steps.
 */
interface State {
  entered?: string
  /** The previous entry is the first step. */
  asked?: boolean
}

export const useEntered = (): string | undefined => useHistoryState<State | null>()?.entered

const here = () => location.pathname + location.search

export function enter(identifier: string): void {
  navigate(here(), { state: { entered: identifier, asked: true } satisfies State })
}

export function enterAnother(): void {
  if ((history.state as State | null)?.asked) history.back()
  else navigate(here(), { replace: true, state: null })
}
