import type { Progress } from '../lib/in-turn.ts'

/** The progress of several calls: a sentence and a bar. */
export function ProgressBar({ of: { done, total }, children }: { of: Progress; children: string }) {
  return (
    <div className="grid gap-2">
      <p role="status" className="tabular-nums">
        {children}
      </p>
      <div
        role="progressbar"
        aria-label={children}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="h-2 overflow-hidden rounded-full border border-transparent bg-sunken"
      >
        <div className="h-full rounded-full bg-accent-fill" style={{ width: `${(done / total) * 100}%` }} />
      </div>
    </div>
  )
}
