/** What we use of Google Identity Services (https://developers.google.com/identity/gsi/web/reference/js-reference). */
interface GoogleIdentity {
  initialize(options: Record<string, unknown>): void
  prompt(listener: (notification: PromptNotification) => void): void
  cancel(): void
}

/** What became of one showing. With FedCM only some of these can be asked. */
export interface PromptNotification {
  isDismissedMoment?(): boolean
  isSkippedMoment?(): boolean
  getDismissedReason?(): string
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } }
  }
}

export interface OneTapOptions {
  clientId: string
  context?: 'signin' | 'signup' | 'use'
  autoSelect?: boolean
  cancelOnTapOutside?: boolean
  /** Before the second showing; each further one waits twice as long. Milliseconds. */
  baseDelay?: number
  maxAttempts?: number
  /** Somebody chose an account. */
  onCredential(idToken: string): void
  /** Nobody did, and it will not be shown again. */
  onNotification?(notification: PromptNotification): void
  /** Ends it: the page is left. */
  signal?: AbortSignal
}

const scriptURL = 'https://accounts.google.com/gsi/client'
let script: Promise<GoogleIdentity> | null = null
let underWay: object | null = null

/** Google's script, once a page. A failure is forgotten, so that the next visit tries again. */
function loadScript(): Promise<GoogleIdentity> {
  script ??= new Promise<GoogleIdentity>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = scriptURL
    element.async = true
    const fail = () => {
      script = null
      element.remove()
      reject(new Error('Google Identity Services could not be loaded'))
    }
    element.onload = () => {
      const identity = window.google?.accounts?.id
      if (identity) resolve(identity)
      else fail()
    }
    element.onerror = fail
    document.head.append(element)
  })
  return script
}

const wait = (delay: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delay)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Shows Google One Tap. Only one runs at a time; while one does, another call does nothing but say so. A showing that
 * is dismissed or skipped is tried again after 1 s, 2 s, 4 s and so on, up to `maxAttempts` times.
 * @throws when Google's script cannot be loaded
 */
export async function startOneTap({
  clientId,
  context = 'signin',
  autoSelect = false,
  cancelOnTapOutside = true,
  baseDelay = 1000,
  maxAttempts = 5,
  onCredential,
  onNotification,
  signal,
}: OneTapOptions): Promise<void> {
  if (typeof window === 'undefined') throw new Error('One Tap only works in a browser window')
  if (underWay) {
    console.warn('A One Tap request is already in progress.')
    return
  }
  const mine = {}
  underWay = mine
  const leave = () => {
    if (underWay === mine) underWay = null
  }
  signal?.addEventListener('abort', leave)
  try {
    const identity = await loadScript()
    signal?.addEventListener('abort', () => identity.cancel())
    for (let attempt = 0; !signal?.aborted; attempt++) {
      const shown = await show(identity, { clientId, context, autoSelect, cancelOnTapOutside, signal })
      if (signal?.aborted) return
      if (shown.kind === 'chosen') return onCredential(shown.idToken)
      if (attempt === maxAttempts) return onNotification?.(shown.notification)
      await wait(baseDelay * 2 ** attempt, signal)
    }
  } finally {
    leave()
  }
}

type Shown = { kind: 'chosen'; idToken: string } | { kind: 'gone'; notification: PromptNotification }

/** Shows it once. */
function show(
  identity: GoogleIdentity,
  options: Required<Pick<OneTapOptions, 'clientId' | 'context' | 'autoSelect' | 'cancelOnTapOutside'>> & {
    signal: AbortSignal | undefined
  },
): Promise<Shown> {
  return new Promise((resolve) => {
    options.signal?.addEventListener('abort', () => resolve({ kind: 'gone', notification: {} }))
    identity.initialize({
      client_id: options.clientId,
      callback: ({ credential }: { credential: string }) => resolve({ kind: 'chosen', idToken: credential }),
      context: options.context,
      auto_select: options.autoSelect,
      cancel_on_tap_outside: options.cancelOnTapOutside,
      use_fedcm_for_prompt: true,
      itp_support: true,
    })
    identity.prompt((notification) => {
      // The choice itself is told as a dismissal too.
      if (notification.getDismissedReason?.() === 'credential_returned') return
      if (notification.isDismissedMoment?.() || notification.isSkippedMoment?.()) {
        resolve({ kind: 'gone', notification })
      }
    })
  })
}
