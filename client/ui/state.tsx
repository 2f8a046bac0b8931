import { CircleAlert } from 'lucide-react'
import { createContext, Fragment, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { countdownInWords } from '../../worker/kit/time.ts'
import type { AuthError } from '../lib/auth/types.ts'
import { useSecondsUntil } from '../lib/clock.ts'
import { cx } from '../lib/cx.ts'
import type { Form } from '../lib/form.ts'
import { messageOf, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { Button } from './button.tsx'
import { useWaiting } from './waiting.ts'

/** A placeholder for content that is loading. The page waits for it. */
export function Skeleton(props: { lines?: number }) {
  useWaiting()
  return <Bars {...props} />
}

/** Grey bars that appear after 150 ms. */
export function Bars({ lines = 3 }: { lines?: number }) {
  const t = useTexts()
  return (
    <div role="status" data-skeleton className="grid animate-appear gap-3">
      <span className="sr-only">{t.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing but their place
          key={index}
          className={cx(
            'block h-5 rounded bg-sunken',
            index % 3 === 2 ? 'w-1/2' : index % 3 === 1 ? 'w-full' : 'w-3/4',
          )}
        />
      ))}
    </div>
  )
}

export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 rounded border border-dashed px-6 py-10 text-center text-soft">
      <p className="text-balance">{children}</p>
      {action}
    </div>
  )
}

type Tone = 'danger' | 'warning' | 'success' | 'accent'
const tones: Record<Tone, string> = {
  danger: 'bg-danger-wash border-danger/40',
  warning: 'bg-warning-wash border-warning/40',
  success: 'bg-success-wash border-success/40',
  accent: 'bg-accent-wash border-accent/40',
}

/** A framed remark. `live` for remarks that appear during use. */
export function Note({ tone = 'accent', live, children }: { tone?: Tone; live?: boolean; children: ReactNode }) {
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={cx('note text-pretty rounded border px-4 py-3', tones[tone])}
    >
      {children}
    </div>
  )
}

interface ErrorPanelProps {
  error: AuthError
  /** The feature's own messages by code. */
  errors?: Record<string, string>
  onRetry?(): void
}

/** A code may be wider than its place: it breaks after underscores and dots. */
export const breakable = (code: string) =>
  code.split(/(?<=[_.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** Another attempt does not change what the user may do, except after a step-up. */
const mayHelp = ({ status, code }: AuthError) => status !== 403 || code === 'SESSION_IS_NOT_FRESH'

/** With `onRetry` it replaces something that was not loaded; when limited, it loads again without a click. */
export function ErrorPanel({ error, errors, onRetry }: ErrorPanelProps) {
  const t = useTexts()
  const limited = error.status === 429
  const until = useMemo(() => (limited ? Date.now() + (error.retryAfter || 10) * 1000 : null), [error, limited])
  const left = useSecondsUntil(until)
  const time = countdownInWords(left, useLanguage())
  const retry = useRef(onRetry)
  useEffect(() => {
    retry.current = onRetry
  })
  useEffect(() => {
    if (!until) return
    const timer = setTimeout(() => retry.current?.(), until - Date.now())
    return () => clearTimeout(timer)
  }, [until])
  const [waiting, over] = onRetry ? [t.busyRetry(time), limited && t.busy] : [t.tryAgainIn(time), null]
  // The user has stopped it: nothing failed.
  const stopped = error.code?.includes('CANCELLED')
  return (
    <Note tone={stopped ? 'accent' : 'danger'} live>
      <div className="flex gap-3 text-start">
        <CircleAlert
          aria-hidden
          size={20}
          className={cx('mt-0.5 flex-none', stopped ? 'text-accent' : 'text-danger')}
        />
        <div className="grid justify-items-start gap-2">
          {/* A countdown is not announced every second. */}
          <p>
            {left > 0 ? (
              <span role="timer" aria-live="off">
                {waiting}
              </span>
            ) : (
              over || messageOf(error, t, errors)
            )}
          </p>
          {!stopped && (error.code || error.status > 0) && (
            <p className="text-xs text-soft">{breakable(t.errorCode(error.code ?? String(error.status)))}</p>
          )}
          {onRetry && !limited && mayHelp(error) && <Button onClick={onRetry}>{t.retry}</Button>}
        </div>
      </div>
    </Note>
  )
}

/** Replaces the text of countdowns, if it returns one for the seconds that are left. */
export const CountdownText = createContext<(seconds: number) => string | undefined>(() => undefined)

/** The countdown of a 429, which disappears at its end. */
export function Countdown({ until, children }: { until: number | null; children?: ReactNode }) {
  const t = useTexts()
  const left = useSecondsUntil(until)
  const language = useLanguage()
  const ownText = useContext(CountdownText)
  if (left === 0) return null
  return (
    <Note tone="danger">
      <span role="timer">{ownText(left) ?? t.tryAgainIn(countdownInWords(left, language))}</span> {children}
    </Note>
  )
}

/** Above the button of a form: an error that belongs to no field. */
export function FormProblem({ form }: { form: Pick<Form, 'problem' | 'message' | 'blockedUntil'> }) {
  if (form.problem?.status === 429) return <Countdown until={form.blockedUntil} />
  if (!form.problem) return null
  return (
    <Note tone="danger" live>
      {form.message}
    </Note>
  )
}

export interface Loadable<Data> {
  data: Data | null
  error: AuthError | null
  isPending: boolean
  refetch(): unknown
}

export interface LoadedProps<Data> {
  of: Loadable<Data>
  skeleton?: ReactNode
  errors?: Record<string, string>
  /** Replaces an empty list. */
  empty?: ReactNode
  children: (data: NonNullable<Data>) => ReactNode
}

/** Shows a skeleton, an error with a retry, or the data. Data stays when a refresh fails. */
export function Loaded<Data>({ of, skeleton = <Skeleton />, errors, empty, children }: LoadedProps<Data>) {
  if (empty && Array.isArray(of.data) && of.data.length === 0) {
    return typeof empty === 'string' ? <p className="text-soft">{empty}</p> : empty
  }
  if (of.data) return children(of.data)
  if (of.isPending || !of.error) return skeleton
  return <ErrorPanel error={of.error} errors={errors} onRetry={() => void of.refetch()} />
}
