import { createStore } from './store.ts'

/** An operation that waits for a new authentication. */
export interface StepUpRequest {
  /**
   * The methods that the server offers: a FactorMethod, or 'provider:<id>'.
   */
  methods: readonly string[]
  /** @param confirmed whether the operation is repeated */
  settle(confirmed: boolean): void
}

/** The request that the dialog "Confirm that it is you" shows (features/step-up). */
export const stepUpRequest = createStore<StepUpRequest | null>(null)

let pending: Promise<boolean> | null = null

/** Set while a signed-in screen can show the dialog. Otherwise the operation fails. */
export const stepUpHost = { isShown: false }

/**
 * Opens the dialog. Operations that are rejected while it is open share its result.
 * @param rejection an error with `methods`
 * @returns whether to repeat the call
 */
export function askToStepUp({ methods }: { methods?: unknown; [more: string]: unknown }): Promise<boolean> {
  if (!stepUpHost.isShown || !Array.isArray(methods)) return Promise.resolve(false)
  pending ??= new Promise((resolve) => {
    stepUpRequest.set({
      methods,
      settle(confirmed) {
        pending = null
        stepUpRequest.set(null)
        resolve(confirmed)
      },
    })
  })
  return pending
}
