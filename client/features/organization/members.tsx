import { useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Chips } from '../../ui/chips.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { type Order, OrderField } from '../../ui/order.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Current, type Member, TeamName, useRoleNames, useRules, WhyNot, WithOrganization } from './current.tsx'
import { InviteButton } from './invite.tsx'
import { Actions, Role, rightsOver } from './member-actions.tsx'
import { memberListTexts } from './member-list.texts.ts'
import { membersTexts } from './members.texts.ts'
import { nameOf, Person } from './person.tsx'
import { RemoveMembers } from './remove-members.tsx'
import { organizationTexts } from './texts.ts'

export default function Members() {
  const t = useTexts(membersTexts)
  return (
    <WithOrganization wide title={t.membersTitle}>
      {(current) => <MembersPage key={current.organization.id} {...current} />}
    </WithOrganization>
  )
}

/** Search is shown for more than 8 members. */
const longList = 8
/** The filter and the selection of several members are shown from 3 members on. */
const shortList = 3

const sortKeys = ['createdAt', 'name', 'role'] as const
type SortKey = (typeof sortKeys)[number]

function MembersPage(current: Current) {
  const t = useTexts(membersTexts)
  const list = useTexts(memberListTexts)
  const { organization, may } = current
  const all = organization.members
  const [search, setSearch] = useState('')
  const [role, setRole] = useState('')
  const [order, setOrder] = useState<Order<SortKey>>({ by: 'createdAt', descending: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const sort = useSort(order)
  const words = search.trim().toLowerCase()
  const found = all
    .filter(({ user }) => `${user.name} ${user.email}`.toLowerCase().includes(words))
    .filter((member) => !role || splitRoles(member.role).includes(role))
    .sort(sort)
  const removable = found.filter((member) => rightsOver({ ...current, member }).remove)
  const chosen = removable.filter(({ id }) => selected.has(id))
  const selects = all.length >= shortList && may({ member: ['delete'] })
  const columns = useColumns(current, { order, onOrder: setOrder })
  const select: Column<Member> = {
    key: 'select',
    label: list.select,
    select: true,
    cell: (member) =>
      removable.includes(member) && (
        <label className="-m-2.5 grid size-10 place-items-center">
          <span className="sr-only">{list.selectOne(nameOf(member))}</span>
          <input
            type="checkbox"
            className="size-5"
            checked={selected.has(member.id)}
            onChange={({ target }) => {
              const next = new Set(selected)
              if (target.checked) next.add(member.id)
              else next.delete(member.id)
              setSelected(next)
            }}
          />
        </label>
      ),
  }
  return (
    <Page wide title={t.membersTitle} intro={t.membersIntro(all.length)} actions={<InviteButton {...current} />}>
      <Section>
        {all.length > longList && (
          <SearchField label={t.searchMembers} value={search} onChange={(event) => setSearch(event.target.value)} />
        )}
        {all.length >= shortList && <OrderField columns={sortKeys} order={order} onOrder={setOrder} />}
        {all.length >= shortList && <RoleFilter members={all} role={role} onRole={setRole} />}
        {selects && (
          <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
            {removable.length > 0 && (
              <Checkbox
                label={list.selectAll(removable.length)}
                checked={chosen.length === removable.length}
                ref={(box: HTMLInputElement | null) => {
                  if (box) box.indeterminate = chosen.length > 0 && chosen.length < removable.length
                }}
                onChange={({ target }) => setSelected(new Set(target.checked ? removable.map(({ id }) => id) : []))}
              />
            )}
            <span role="status" className="ms-auto text-sm text-soft tabular-nums">
              {chosen.length > 0 && list.selected(chosen.length)}
            </span>
            {chosen.length > 0 && <RemoveMembers members={chosen} organization={organization} />}
          </div>
        )}
        {found.length > 0 ? (
          <Table
            caption={t.membersCaption}
            columns={[selects && select, ...columns]}
            rows={found}
            first={50}
            rowKey={(member) => member.id}
            compact
          />
        ) : (
          <p role="status" className="text-soft">
            {t.noMatches}
          </p>
        )}
        {!may({ member: ['update'] }) && <WhyNot wanted={{ member: ['update', 'delete'] }} />}
      </Section>
    </Page>
  )
}

function RoleFilter({ members, role, onRole }: { members: Member[]; role: string; onRole(role: string): void }) {
  const t = useTexts(memberListTexts)
  const names = useRoleNames()
  const known = Object.keys(useRules().roles)
  const count = (one: string) => members.filter((member) => splitRoles(member.role).includes(one)).length
  const held = known.filter((one) => one === role || count(one) > 0)
  if (held.length < 2) return null
  return (
    <Chips
      label={t.filter}
      value={role}
      onChoose={onRole}
      choices={[
        { value: '', label: t.all, count: members.length },
        ...held.map((one) => ({ value: one, label: names.one(one), count: count(one) })),
      ]}
    />
  )
}

function useSort({ by, descending }: Order<SortKey>) {
  const known = Object.keys(useRules().roles)
  const rank = ({ role }: Member) => Math.min(...splitRoles(role).map((one) => known.indexOf(one)))
  const compare: Record<SortKey, (a: Member, b: Member) => number> = {
    name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
    role: (a, b) => rank(a) - rank(b),
    createdAt: (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  }
  return (a: Member, b: Member) => (descending ? compare[by](b, a) : compare[by](a, b))
}

interface Sorting {
  order: Order<SortKey>
  onOrder(order: Order<SortKey>): void
}

function useColumns(current: Current, { order, onOrder }: Sorting): (Column<Member> | false)[] {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  const { organization, me, may } = current
  const teams = organization.teams
  /** The team with which an organization begins has its name, which says nothing here. */
  const isNamed = (teamId: string | null | undefined) =>
    teams?.some(({ id, name }) => id === teamId && name !== organization.name) ?? false
  const sorting = (by: SortKey): Pick<Column<Member>, 'sorted' | 'onSort'> => ({
    ...(order.by === by ? { sorted: order.descending ? 'descending' : 'ascending' } : {}),
    onSort: () => onOrder({ by, descending: order.by === by && !order.descending }),
  })
  return [
    {
      key: 'person',
      label: t.person,
      lead: true,
      ...sorting('name'),
      cell: ({ id, user, role }) => (
        <Person user={user} below={names.all(role)}>
          {id === me.id && <Badge tone="accent">{t.you}</Badge>}
        </Person>
      ),
    },
    {
      key: 'role',
      label: org.role,
      minor: true,
      ...sorting('role'),
      cell: (member) => <Role {...current} member={member} />,
    },
    teams !== null &&
      organization.members.some(({ teamId }) => isNamed(teamId)) && {
        key: 'team',
        label: org.team,
        minor: true,
        cell: ({ teamId }) => isNamed(teamId) && <TeamName team={teams.find(({ id }) => id === teamId)} />,
      },
    {
      key: 'joined',
      label: t.joined,
      minor: true,
      ...sorting('createdAt'),
      cell: ({ createdAt }) => <Time date={createdAt} />,
    },
    (may({ member: ['update'] }) || may({ member: ['delete'] })) && {
      key: 'actions',
      label: '',
      align: 'end' as const,
      menu: true,
      cell: (member) => <Actions {...current} member={member} />,
    },
  ]
}
