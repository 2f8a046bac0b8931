import { Ban, LogOut } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { Permissions } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BlockForm, Blocks, EndForm, refreshThreats } from './blocked-networks.tsx'
import { Chart } from './chart.tsx'
import { useReasonNames } from './reasons.ts'
import { sumOf } from './scale.ts'
import { threatTexts } from './threats.texts.ts'

type Counts = AnswerOf<'/admin/threat-counts'>
type Threats = AnswerOf<'/admin/threats'>
type Attack = Threats['attacks'][number]
type Reason = Counts['reasons'][number]

const periods = ['hours', 'days'] as const
const steps = { hours: 3_600_000, days: 86_400_000 }

/** What the administrator may do: the screen hides what the server would reject. */
function useMay() {
  const roles = useConfig().admin?.roles ?? {}
  const { user } = useMember()
  return (wanted: Permissions) => administratorMay(roles, user.role ?? '', wanted)
}

/** Attacks on accounts, what the rules do, and the measures against them. The address contains the period. */
export default function ThreatsPage() {
  const t = useTexts(threatTexts)
  const language = useLanguage()
  const asked = new URLSearchParams(useSearch()).get('period')
  const period = periods.find((one) => one === asked) ?? 'hours'
  const counts = useQuery(['threats', 'counts', period], () => auth.admin.threatCounts({ query: { period } }))
  const threats = useQuery(['threats', 'now'], () => auth.admin.threats())
  // The numbers of the previous period stay until these have loaded.
  const previous = useRef(counts.data)
  if (counts.data) previous.current = counts.data
  const shown = counts.data ?? (counts.isPending ? previous.current : null)
  const counted = shown?.countedAt?.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Page wide title={t.title} intro={t.intro} actions={<Ranges chosen={period} />}>
      <Loaded of={threats} skeleton={<Skeleton lines={3} />}>
        {(now) => <Level of={now} />}
      </Loaded>
      <Loaded of={{ ...counts, data: shown }} skeleton={<Skeleton lines={10} />}>
        {(numbers) => (
          <>
            <Stopped of={numbers} />
            <Rules reasons={numbers.reasons} />
          </>
        )}
      </Loaded>
      {threats.data && <Attacks of={threats.data} />}
      {counted && <p className="text-sm text-soft">{t.countedUntil(counted)}</p>}
    </Page>
  )
}

function Ranges({ chosen }: { chosen: string }) {
  const t = useTexts(threatTexts)
  return (
    <nav aria-label={t.range} className="flex rounded border bg-surface shadow-faint">
      {periods.map((period) => (
        <Link
          key={period}
          href={period === 'hours' ? '/admin/threats' : `/admin/threats?period=${period}`}
          replace
          aria-current={period === chosen || undefined}
          className={cx(
            'inline-flex min-h-10 items-center rounded px-3.5 hover:bg-sunken',
            period === chosen ? 'bg-sunken font-medium' : 'text-soft',
          )}
        >
          {t.ranges[period]}
        </Link>
      ))}
    </nav>
  )
}

function Level({ of: { level, raisedUntil } }: { of: Threats }) {
  const t = useTexts(threatTexts)
  const language = useLanguage()
  const may = useMay()
  const lower = useAction(
    () => auth.admin.raiseRiskLevel({ duration: 0 }),
    () => {
      toast(t.lowered)
      void refreshThreats()
    },
  )
  const end = raisedUntil?.toLocaleTimeString(language, { timeStyle: 'short' })
  const isRaised = end !== undefined
  return (
    <Section
      title={t.level}
      intro={isRaised ? t.raised(end) : t.levels[level]}
      action={
        may({ user: ['ban'] }) &&
        (isRaised ? (
          <Button busy={lower.busy} onClick={lower.run}>
            {t.lower}
          </Button>
        ) : (
          <Raise />
        ))
      }
    >
      {lower.error && <ErrorPanel error={lower.error} errors={t.errors} />}
    </Section>
  )
}

function Raise() {
  const t = useTexts(threatTexts)
  return (
    <ConfirmDestroy
      id="raise"
      title={t.raiseQuestion}
      action={t.raise}
      look="primary"
      send={() => auth.admin.raiseRiskLevel({})}
      done={() => {
        toast(t.raisedNow)
        void refreshThreats()
      }}
    >
      {t.raiseWhat}
    </ConfirmDestroy>
  )
}

/** Entered codes are a part of the required ones, and what is only recorded stops nothing. */
const drawn: readonly string[] = ['sign-in-failed', 'challenged', 'refused']

function Stopped({ of: { from, series } }: { of: Counts }) {
  const t = useTexts(threatTexts)
  const language = useLanguage()
  const length = series[0]?.counts.length ?? 0
  const hourly = length > 30
  const step = steps[hourly ? 'hours' : 'days']
  const days = Array.from({ length }, (_, at) => new Date(from.getTime() + at * step))
  const named = series.map(({ name, counts }) => ({ id: name, name: t.series[name], counts }))
  return (
    <Chart
      title={t.chart}
      hint={t.chartHint}
      days={days}
      hourly={hourly}
      series={named}
      drawn={named.filter(({ id }) => drawn.includes(id))}
      figure={
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
          {named.map(({ id, name, counts }) => (
            <div key={id} className="grid content-start">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="text-2xl font-semibold tabular-nums">{(sumOf(counts) ?? 0).toLocaleString(language)}</dd>
            </div>
          ))}
        </dl>
      }
    />
  )
}

function Rules({ reasons }: { reasons: Reason[] }) {
  const t = useTexts(threatTexts)
  const language = useLanguage()
  const nameOf = useReasonNames()
  const number = (key: 'challenged' | 'answered' | 'noticed' | 'refused'): Column<Reason> => ({
    key,
    label: t.series[key],
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row[key].toLocaleString(language)}</span>,
  })
  const columns: Column<Reason>[] = [
    { key: 'reason', label: t.rule, lead: true, cell: ({ reason }) => nameOf(reason) },
    number('challenged'),
    number('answered'),
    number('noticed'),
    number('refused'),
  ]
  return (
    <Section title={t.rules} intro={t.rulesIntro}>
      {reasons.length === 0 ? (
        <EmptyState>{t.rulesNone}</EmptyState>
      ) : (
        <Table caption={t.rules} columns={columns} rows={reasons} rowKey={({ reason }) => reason} readOnly />
      )}
    </Section>
  )
}

function Attacks({ of: { attacks, blocks } }: { of: Threats }) {
  const t = useTexts(threatTexts)
  const may = useMay()
  const [mayBlock, mayEnd] = [may({ user: ['ban'] }), may({ session: ['revoke'] })]
  /** The network of the form that is open; empty for one that is entered. */
  const [blocking, setBlocking] = useState<string | null>(null)
  const [ending, setEnding] = useState<string | null>(null)
  const [atBlock, setAtBlock] = useAddressed('block')
  const [atEnd, setAtEnd] = useAddressed('end-sessions')
  const closeBlock = () => {
    setBlocking(null)
    setAtBlock(false)
  }
  const closeEnd = () => {
    setEnding(null)
    setAtEnd(false)
  }
  const columns: (Column<Attack> | false)[] = [
    { key: 'what', label: t.from, lead: true, cell: (attack) => <Origin of={attack} /> },
    { key: 'began', label: t.began, cell: ({ startedAt }) => <Time date={startedAt} /> },
    {
      key: 'state',
      label: t.state,
      cell: ({ until }) => (until.getTime() > Date.now() ? <Badge tone="danger">{t.lasting}</Badge> : t.over),
    },
    (mayBlock || mayEnd) && {
      key: 'menu',
      label: '',
      align: 'end',
      menu: true,
      cell: ({ network }) =>
        network !== null && (
          <Menu label={t.actionsFor(network)}>
            {mayBlock && <MenuButton onClick={() => setBlocking(network)}>{t.blockThis}</MenuButton>}
            {mayEnd && <MenuButton onClick={() => setEnding(network)}>{t.endSessionsTitle}</MenuButton>}
          </Menu>
        ),
    },
  ]
  return (
    <>
      <Section
        title={t.attacks}
        intro={t.attacksIntro}
        action={
          attacks.length > 0 && (
            <ExportButton path="/admin/export-attacks" name="attacks">
              {t.export}
            </ExportButton>
          )
        }
      >
        {attacks.length === 0 ? (
          <EmptyState>{t.attacksNone}</EmptyState>
        ) : (
          <Table caption={t.attacks} columns={columns} rows={attacks} rowKey={({ id }) => id} first={10} />
        )}
      </Section>
      <Section
        title={t.blocks}
        intro={t.blocksIntro}
        action={
          <div className="flex flex-wrap gap-3">
            {mayEnd && (
              <Button onClick={() => setAtEnd(true)}>
                <LogOut aria-hidden size={16} />
                {t.endSessions}
              </Button>
            )}
            {mayBlock && (
              <Button onClick={() => setAtBlock(true)}>
                <Ban aria-hidden size={16} />
                {t.block}
              </Button>
            )}
          </div>
        }
      >
        {blocks.length === 0 ? <EmptyState>{t.blocksNone}</EmptyState> : <Blocks blocks={blocks} may={mayBlock} />}
      </Section>
      <Dialog open={atBlock || blocking !== null} title={t.block} onClose={closeBlock}>
        <BlockForm network={blocking ?? ''} close={closeBlock} />
      </Dialog>
      <Dialog open={atEnd || ending !== null} title={t.endSessionsTitle} onClose={closeEnd}>
        <EndForm network={ending ?? ''} close={closeEnd} />
      </Dialog>
    </>
  )
}

function Origin({ of: { network, asn, country } }: { of: Attack }) {
  const t = useTexts(threatTexts)
  const language = useLanguage()
  if (network === null) return <span className="font-medium">{t.onePassword}</span>
  const place = [asn !== null && `AS${asn}`, country && new Intl.DisplayNames(language, { type: 'region' }).of(country)]
  const known = place.filter(Boolean).join(' · ')
  return (
    <span className="grid gap-0.5 text-start">
      <bdi className="font-medium wrap-anywhere">{network}</bdi>
      {known && <span className="text-soft">{known}</span>}
    </span>
  )
}
