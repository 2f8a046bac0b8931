import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { jobsTexts } from './texts.ts'

type Job = AnswerOf<'/admin/undelivered'>['jobs'][number]

/** Jobs that have failed and wait for a retry or were given up. */
export default function Undelivered() {
  const t = useTexts(jobsTexts)
  const name = useKindName()
  const [kind, setKind] = useState<string | null>(null)
  const mayRetry = useMayRetry()
  const list = usePages(
    ['undelivered', kind],
    (cursor) => auth.admin.undelivered({ query: { limit: 20, kind: kind ?? undefined, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  const columns: (Column<Job> | false)[] = [
    {
      key: 'what',
      label: t.what,
      lead: true,
      cell: (job) => (
        <span className="grid grid-cols-1 justify-items-start sm:max-w-72 sm:min-w-42">
          <button
            type="button"
            aria-label={t.onlyKind(name(job.kind))}
            onClick={() => setKind(job.kind)}
            className="rounded text-start font-medium underline decoration-line underline-offset-4 wrap-anywhere"
          >
            {name(job.kind)}
          </button>
          <CutParts
            parts={[job.type, job.key].filter((part) => part !== null && part !== undefined)}
            className="max-w-full text-soft"
          />
        </span>
      ),
    },
    { key: 'attempts', label: t.attempts, align: 'end', cell: ({ attempts }) => attempts },
    {
      key: 'error',
      label: t.lastError,
      cell: ({ lastError }) => (
        <Cut className="max-sm:whitespace-normal sm:max-w-60 lg:max-w-72">{lastError ?? t.noError}</Cut>
      ),
    },
    { key: 'status', label: t.status, cell: (job) => <Status job={job} /> },
    { key: 'since', label: t.since, cell: ({ createdAt }) => <Time date={createdAt} /> },
    mayRetry && { key: 'retry', label: '', align: 'end', menu: true, cell: (job) => <Retry job={job} /> },
  ]
  return (
    <Page wide title={t.title} intro={t.intro}>
      <Section>
        {kind !== null && (
          <div className="flex flex-wrap items-start gap-3">
            {mayRetry && <RetryAll kind={kind} />}
            <Button look="quiet" onClick={() => setKind(null)}>
              {t.showAll}
            </Button>
          </div>
        )}
        <LoadedPages
          of={list}
          items={({ jobs }) => jobs}
          errors={t.errors}
          empty={kind ? t.noneOfKind : t.none}
          more={t.older}
          skeleton={<Skeleton lines={4} />}
        >
          {(jobs) => <Table caption={t.caption} columns={columns} rows={jobs} rowKey={({ id }) => id} />}
        </LoadedPages>
      </Section>
    </Page>
  )
}

function useMayRetry(): boolean {
  const roles = useConfig().admin?.roles ?? {}
  return administratorMay(roles, useMember().user.role ?? '', { job: ['redeliver'] })
}

/** A readable name of `webhook/crm`: Webhook · crm. */
function useKindName() {
  const t = useTexts(jobsTexts)
  return (kind: string): string => {
    const [handler = '', ...target] = kind.split('/')
    return [t.kinds[handler] ?? handler, target.join('/')].filter(Boolean).join(' · ')
  }
}

function Status({ job: { state, nextAt } }: { job: Job }) {
  const t = useTexts(jobsTexts)
  if (state === 'failed') return <Badge tone="danger">{t.failed}</Badge>
  return (
    <span className="grid justify-items-start gap-0.5 sm:min-w-24">
      <Badge>{t.waiting}</Badge>
      {nextAt && (
        <span className="text-soft">
          <span className="sr-only">{t.next}: </span>
          <Time date={nextAt} />
        </span>
      )}
    </span>
  )
}

function Retry({ job: { id, kind } }: { job: Job }) {
  const t = useTexts(jobsTexts)
  const name = useKindName()
  const retry = useAction(
    () => auth.admin.redeliver({ id }),
    ({ delivered }) => toast(delivered ? t.delivered : t.failedAgain),
  )
  return (
    <span className="grid gap-2 sm:justify-items-end">
      <IconButton label={t.retryOf(name(kind))} disabled={retry.busy} onClick={retry.run}>
        <RotateCw aria-hidden size={18} />
      </IconButton>
      {retry.error && <ErrorPanel error={retry.error} errors={t.errors} />}
    </span>
  )
}

function RetryAll({ kind }: { kind: string }) {
  const t = useTexts(jobsTexts)
  const name = useKindName()
  const retry = useAction(
    () => auth.admin.redeliver({ kind }),
    ({ revived }) => toast(t.revived(revived)),
  )
  return (
    <span className="grid gap-2">
      <Button look="primary" busy={retry.busy} onClick={retry.run}>
        {t.retryAll(name(kind))}
      </Button>
      {retry.error && <ErrorPanel error={retry.error} errors={t.errors} />}
    </span>
  )
}
