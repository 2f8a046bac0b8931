import { usePlace } from './place.ts'

/**
 * The second step of the sign-in is a history entry with the address, number or name of the first one: Back leads to
 * the field, and a reload keeps the step. Nothing of it is in the URL, and no request is made between the steps.
 */
interface State {
  entered?: string
  /** The previous entry is the first step. */
  asked?: boolean
}

interface EnteredStep {
  entered: string | undefined
  enter(identifier: string): void
  /** Leads back to the first step. */
  enterAnother(): void
}

export function useEntered(): EnteredStep {
  const place = usePlace()
  const state = place.useState() as State | null
  const open = (options: { replace?: boolean; state: State | null }) => {
    const { path, search } = place.now()
    place.navigate(path + search, options)
  }
  return {
    entered: state?.entered,
    enter: (identifier) => open({ state: { entered: identifier, asked: true } }),
    enterAnother: () => (state?.asked ? place.back() : open({ replace: true, state: null })),
  }
}
