import { ChevronDown, Info, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/small.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped, type Line, type Party } from './line.ts'
import { PartyName } from './party-name.tsx'
import { recordTexts } from './records.texts.ts'
import { timelineTexts } from './timeline.texts.ts'

type Shown = 'about' | 'by' | 'where'

interface TimelineProps {
  /** For screen readers. */
  caption: string
  /** The newest first. */
  lines: readonly Line[]
  /** The columns between what happened and when. */
  shows: readonly Shown[]
  /** The user whose timeline it is: below the words is the other party of each line. */
  of?: string
}

/** A line, or the head of a group. */
interface Row {
  line: Line
  words: string
  group?: { ids: string[]; isOpen: boolean }
  /** In an opened group. */
  isPart?: boolean
}

/** What happened, the newest first: one line a row, repetition as one row, details on request. */
export function Timeline({ caption, lines: given, shows: asked, of }: TimelineProps) {
  const t = useTexts(timelineTexts)
  /** The lines of opened groups. */
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [detailed, setDetailed] = useState<Line | null>(null)
  const [isDetailed, setIsDetailed] = useState(false)
  const lines = of === undefined ? given : given.map((line) => withOther(of, line))
  const rows = useRows(lines, open)
  const isKnown = {
    about: (line: Line) => line.about,
    by: (line: Line) => line.by,
    where: (line: Line) => line.device ?? line.places[0],
  }
  const shows = asked.filter((name) => lines.some(isKnown[name]))
  const toggle = ({ ids, isOpen }: NonNullable<Row['group']>) =>
    setOpen(isOpen ? new Set([...open].filter((id) => !ids.includes(id))) : new Set([...open, ...ids]))
  const columns: (Column<Row> | false)[] = [
    {
      key: 'what',
      label: t.what,
      lead: shows.length > 1 ? 'shared' : 'half',
      cell: (row) => <What row={row} shows={shows} />,
    },
    shows.includes('about') &&
      of === undefined && {
        key: 'about',
        label: t.about,
        minor: true,
        cell: ({ line }) => <PartyName of={line.about} />,
      },
    shows.includes('by') && { key: 'by', label: t.by, minor: true, cell: ({ line }) => <PartyName of={line.by} /> },
    shows.includes('where') && {
      key: 'where',
      label: t.where,
      minor: true,
      cell: ({ line: { device, places } }) => (
        <span className="grid grid-cols-1 lg:min-w-44">
          {device && <Cut words>{device}</Cut>}
          <CutParts parts={places} className="text-soft empty:hidden" />
        </span>
      ),
    },
    { key: 'when', label: t.when, minor: true, cell: ({ line }) => <Time date={line.date} /> },
    {
      key: 'details',
      label: '',
      menu: true,
      align: 'end',
      cell: ({ line, words, group }) =>
        group ? (
          <IconButton label={t.showEach(words)} aria-expanded={group.isOpen} onClick={() => toggle(group)}>
            <ChevronDown aria-hidden size={18} className={cx('text-soft', group.isOpen && 'rotate-180')} />
          </IconButton>
        ) : (
          <OpenDetails
            words={line.words}
            onOpen={() => {
              setDetailed(line)
              setIsDetailed(true)
            }}
          />
        ),
    },
  ]
  return (
    <>
      <Table
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={({ line, group }) => (group ? `group ${line.id}` : line.id)}
        compact
      />
      <Dialog open={isDetailed} title={detailed?.words ?? ''} onClose={() => setIsDetailed(false)}>
        {detailed?.details()}
      </Dialog>
    </>
  )
}

function withOther(of: string, line: Line): Line {
  const about = [line.about, line.by].find((party) => party && !party.href?.endsWith(`/${of}`))
  return { ...line, about, by: undefined, more: about ? <PartyName of={about} /> : line.more }
}

/** Fewer equal lines are shown one by one. */
const repetition = 3

function useRows(lines: readonly Line[], open: ReadonlySet<string>): Row[] {
  const t = useTexts(timelineTexts)
  const single = (line: Line, isPart = false): Row => ({ line, words: line.words, isPart })
  return grouped(lines).flatMap((group) => {
    const [newest] = group
    if (group.length < repetition) return group.map((line) => single(line))
    const words =
      newest.isSignIn && newest.device ? t.signIns(group.length, newest.device) : t.times(newest.words, group.length)
    const ids = group.map(({ id }) => id)
    const isOpen = ids.some((id) => open.has(id))
    const head: Row = { line: newest, words, group: { ids, isOpen } }
    return isOpen ? [head, ...group.map((line) => single(line, true))] : [head]
  })
}

/** What happened. On a narrow screen also who, where and when. */
function What({ row: { line, words, group, isPart }, shows }: { row: Row; shows: readonly Shown[] }) {
  const t = useTexts(timelineTexts)
  const about = shows.includes('about') ? line.about : undefined
  const by = shows.includes('by') ? line.by : undefined
  const parts = [about, by]
    .filter((party): party is Party => party !== undefined)
    .map(({ kind, name }) => name || kind || '')
  // There is room for two parts.
  const where = [line.device, ...line.places]
  if (shows.includes('where')) parts.push(...where.filter((part): part is string => Boolean(part)))
  return (
    <span className={cx('grid grid-cols-1 gap-0.5', isPart && 'border-s-2 ps-3')}>
      <span className="flex items-center gap-2">
        {line.failed && <ShieldAlert aria-hidden size={16} className="flex-none text-danger" />}
        {group ? (
          <>
            <bdi title={words} className="line-clamp-2 font-medium whitespace-normal max-sm:hidden">
              {words}
            </bdi>
            {/* In a cut line a device that runs in the other direction would lose its beginning. */}
            <Cut className="font-medium sm:hidden">{t.times(line.words, group.ids.length)}</Cut>
          </>
        ) : (
          <Cut className="font-medium">{words}</Cut>
        )}
        {line.here && <Badge tone="success">{t.here}</Badge>}
      </span>
      <span className="flex gap-3 text-soft sm:hidden">
        <CutParts className="flex-1" parts={[...new Set(parts)].slice(0, 2)} />
        <Time date={line.date} />
      </span>
      {!group && <span className="max-sm:hidden">{line.more}</span>}
    </span>
  )
}

function OpenDetails({ words, onOpen }: { words: string; onOpen(): void }) {
  const t = useTexts(recordTexts)
  return (
    <Button look="quiet" className="max-sm:px-[0.6875rem]" aria-label={t.detailsOf(words)} onClick={onOpen}>
      <span className="max-sm:hidden">{t.details}</span>
      <Info aria-hidden size={18} className="text-soft sm:hidden" />
    </Button>
  )
}
