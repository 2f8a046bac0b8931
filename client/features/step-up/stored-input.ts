import { deployment } from '../../lib/deployment.ts'

/** Form input that this tab keeps during another authentication, without passwords, codes and files. */
interface Kept {
  userId: string
  path: string
  at: number
  /** The name of the pressed button. */
  pressed: string | null
  /** Whether forms contain unsaved input. */
  typed: boolean
  forms: KeptForm[]
}

interface KeptForm {
  /** The names of the controls, which identify the form on its page. */
  id: string
  values: Record<string, string>
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A step-up at a provider, or a sign-in after the end of the session. */
type Reason = 'step-up' | 'session-end'
/** Both take minutes; older input is not restored. */
const maxAge = 30 * 60_000

/** Without storage nothing is kept. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

export const isKept = (reason: Reason): boolean =>
  attempt(() => sessionStorage.getItem(deployment.storage + reason)) !== null

/** The name of the button that sent the rejected operation. */
export function pressedButton(): string | null {
  const active = document.activeElement
  const button = active?.closest('button') ?? active?.closest('form')?.querySelector('button[type=submit]')
  return (button?.getAttribute('aria-label') ?? button?.textContent)?.trim() || null
}

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.querySelectorAll<Control>('input[name], select[name], textarea[name]')].filter(
    ({ type, autocomplete }) =>
      !/^(password|file|hidden)$/.test(type) && !/password|one-time-code|^cc-/.test(autocomplete),
  )

const idOf = (form: HTMLFormElement): string => [...new Set(controlsOf(form).map(({ name }) => name))].join(' ')

const textOf = (control: Control): string =>
  control.type === 'checkbox' ? String((control as HTMLInputElement).checked) : control.value

const isTyped = (control: Control): boolean =>
  control.type === 'checkbox' || control.type === 'radio'
    ? (control as HTMLInputElement).checked !== (control as HTMLInputElement).defaultChecked
    : control.type !== 'select-one' && control.value !== (control as HTMLInputElement).defaultValue

function store(reason: Reason, userId: string, kept: Pick<Kept, 'pressed' | 'typed' | 'forms'>): void {
  const value: Kept = { userId, path: location.pathname, at: Date.now(), ...kept }
  attempt(() => sessionStorage.setItem(deployment.storage + reason, JSON.stringify(value)))
}

/** Stores what was typed into these forms. */
export function keepTyped(userId: string, open: readonly HTMLFormElement[]): void {
  const forms = open.map((form) => ({
    id: idOf(form),
    values: Object.fromEntries(
      controlsOf(form)
        .filter((control) => isTyped(control) && (control.type !== 'radio' || (control as HTMLInputElement).checked))
        .map((control) => [control.name, textOf(control)]),
    ),
  }))
  const typed = forms.filter(({ values }) => Object.keys(values).length > 0)
  if (typed.length > 0) store('session-end', userId, { pressed: null, typed: true, forms: typed })
}

/** Stores the input of the page's forms. @param except the dialog */
export function keep(userId: string, pressed: string | null, except: Element | null): void {
  const open = [...document.forms].filter((form) => !except?.contains(form))
  const forms = open
    .map((form) => ({
      id: idOf(form),
      values: Object.fromEntries(
        controlsOf(form)
          .filter((control) => control.type !== 'radio' || (control as HTMLInputElement).checked)
          .map((control) => [control.name, textOf(control)]),
      ),
    }))
    .filter(({ id }) => id !== '')
  const typed = open.some((form) => controlsOf(form).some(isTyped))
  store('step-up', userId, { pressed, typed, forms })
}

export const forget = (reason: Reason): void =>
  void attempt(() => sessionStorage.removeItem(deployment.storage + reason))

/** @returns the input that was stored on this page for this user */
export function readKept(reason: Reason, userId: string): Kept | null {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(deployment.storage + reason) ?? 'null') as Kept | null)
  const isTheirs = kept?.userId === userId && kept.path === location.pathname && Date.now() - kept.at < maxAge
  return isTheirs ? kept : null
}

/** Sets a value with an event, so that controlled inputs notice it. */
function type(control: Control, value: string): void {
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    const wanted = control.type === 'radio' ? control.value === value : value === 'true'
    if (control.checked !== wanted && (control.type === 'checkbox' || wanted)) control.click()
    return
  }
  if (control.value === value) return
  // React overrides the setter of the element and would ignore the change.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

/**
 * Restores the input into the page's forms, including those that appear later, such as in a dialog; each once.
 * @returns a function that ends it
 */
export function restore(forms: readonly KeptForm[]): () => void {
  const open = [...forms]
  const fill = () => {
    for (const form of document.forms) {
      const index = open.findIndex(({ id }) => id === idOf(form))
      if (index < 0) continue
      const values = open.splice(index, 1)[0]?.values ?? {}
      for (const control of controlsOf(form)) {
        const value = values[control.name]
        if (value !== undefined) type(control, value)
      }
    }
  }
  const observer = new MutationObserver(fill)
  observer.observe(document.body, { childList: true, subtree: true })
  fill()
  return () => observer.disconnect()
}
