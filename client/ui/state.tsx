import { CircleAlert } from 'lucide-react'
import { Fragment, type ReactNode, useMemo } from 'react'
import type { AuthError } from '../lib/auth/types.ts'
import { errorOf } from '../lib/call-error.ts'
import { useSecondsUntil } from '../lib/clock.ts'
import { cx } from '../lib/cx.ts'
import type { Form } from '../lib/form.ts'
import { messageOf, useTexts } from '../lib/texts/texts.ts'
import { Button } from './button.tsx'
import { useWaiting } from './waiting.ts'

/** What is still coming: the page around waits for it. */
export function Skeleton(props: { lines?: number; className?: string }) {
  useWaiting()
  return <Bars {...props} />
}

/** Grey bars in the place of what is coming; they appear only when it takes longer than 150 ms. */
export function Bars({ lines = 3, className }: { lines?: number; className?: string }) {
  const t = useTexts()
  return (
    <div role="status" data-skeleton className={cx('grid animate-appear gap-3', className)}>
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

/** One sentence and one action. */
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

/** A framed remark inside a page. `live` when it appears while the page is being used. */
export function Note({ tone = 'accent', live, children }: { tone?: Tone; live?: boolean; children: ReactNode }) {
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={cx('text-pretty rounded border px-4 py-3', tones[tone])}
    >
      {children}
    </div>
  )
}

interface ErrorPanelProps {
  error: AuthError
  /** A feature's own words for the codes it knows. */
  errors?: Record<string, string>
  onRetry?(): void
}

/** A code may be wider than its panel: it breaks after its underscores. */
const breakable = (code: string) =>
  code.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** What went wrong, in words; the code in small print; a way to try again. */
export function ErrorPanel({ error, errors, onRetry }: ErrorPanelProps) {
  const t = useTexts()
  const until = useMemo(() => (error.status === 429 ? Date.now() + (error.retryAfter ?? 10) * 1000 : null), [error])
  const left = useSecondsUntil(until)
  return (
    <Note tone="danger" live>
      <div className="flex gap-3 text-start">
        <CircleAlert aria-hidden size={20} className="mt-0.5 flex-none text-danger" />
        <div className="grid justify-items-start gap-2">
          {/* What changes every second is not read out every second. */}
          <p>
            {left > 0 ? (
              <span role="timer" aria-live="off">
                {t.tryAgainIn(left)}
              </span>
            ) : (
              messageOf(error, t, errors)
            )}
          </p>
          {(error.code || error.status > 0) && (
            <p className="text-xs text-soft">{breakable(t.errorCode(error.code ?? String(error.status)))}</p>
          )}
          {onRetry && (
            <Button disabled={left > 0} onClick={onRetry}>
              {t.retry}
            </Button>
          )}
        </div>
      </div>
    </Note>
  )
}

/** Counts the time of a 429 down, and is gone when it is. What can be done instead stands beside it. */
export function Countdown({ until, children }: { until: number | null; children?: ReactNode }) {
  const t = useTexts()
  const left = useSecondsUntil(until)
  if (left === 0) return null
  return (
    <Note tone="danger">
      <span role="timer">{t.tryAgainIn(left)}</span> {children}
    </Note>
  )
}

/** Above a form's button: what was refused and belongs to no field. */
export function FormProblem({ form }: { form: Pick<Form, 'problem' | 'message' | 'blockedUntil'> }) {
  if (form.problem?.status === 429) return <Countdown until={form.blockedUntil} />
  if (!form.problem) return null
  return (
    <Note tone="danger" live>
      {form.message}
    </Note>
  )
}

interface Loadable<Data> {
  data: Data | null | undefined
  error: unknown
  isPending: boolean
  refetch(): unknown
}

interface LoadedProps<Data> {
  /** A react-query result, or what a hook of the client answers. */
  of: Loadable<Data>
  skeleton?: ReactNode
  errors?: Record<string, string>
  children: (data: NonNullable<Data>) => ReactNode
}

/** The three states of anything that comes from the server. What is already there stays when a refresh fails. */
export function Loaded<Data>({ of, skeleton = <Skeleton />, errors, children }: LoadedProps<Data>) {
  if (of.data !== null && of.data !== undefined) return children(of.data)
  if (of.isPending) return skeleton
  return <ErrorPanel error={errorOf(of.error)} errors={errors} onRetry={() => void of.refetch()} />
}
