import { Building2, Check, ChevronsUpDown, Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useOrganizations, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Menu, MenuButton, MenuLine, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Team, useRules } from './current.tsx'
import { switcherTexts } from './switcher.texts.ts'
import { organizationTexts } from './texts.ts'

export default function Switcher() {
  const { features } = useConfig()
  return features.organization ? <OrganizationMenu /> : null
}

const longList = 7

function OrganizationMenu() {
  const t = useTexts(organizationTexts)
  const { session } = useMember()
  const { creatable } = useRules()
  const { data } = useOrganizations()
  const [location, navigate] = useLocation()
  const list = data ?? []
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = list.length > longList ? list.filter(({ name }) => name.toLowerCase().includes(words)) : list
  const active = list.find(({ id }) => id === session.activeOrganizationId)
  const open = useAction(
    (organizationId: string, _name: string) => auth.organization.setActive({ organizationId }),
    (_answer, _id, name) => {
      toast(t.opened(name))
      // Screens of the account do not show the chosen organization.
      if (!location.startsWith('/organization')) navigate('/organization/settings')
    },
  )
  const teams = useOwnTeams()
  const error = open.error ?? teams.error
  return (
    <>
      <Menu
        label={`${t.organization}: ${[active?.name ?? t.none, teams.active?.name].filter(Boolean).join(', ')}`}
        buttonClassName="min-w-0"
        from="start"
        button={
          <>
            {active ? (
              <Avatar name={active.name} image={active.logo} size={24} />
            ) : (
              <Building2 aria-hidden size={18} className="flex-none text-soft" />
            )}
            <span aria-hidden dir="auto" className="hidden max-w-56 truncate sm:block">
              {active?.name ?? t.none}
              {teams.active && <span className="text-soft"> / {teams.active.name}</span>}
            </span>
            <ChevronsUpDown aria-hidden size={15} className="flex-none text-soft" />
          </>
        }
      >
        {list.length > longList && (
          <input
            type="search"
            aria-label={t.find}
            placeholder={t.find}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="control mb-1.5"
          />
        )}
        {found.map(({ id, name, logo }) => (
          <MenuButton key={id} onClick={() => open.run(id, name)}>
            <Avatar name={name} image={logo} size={24} />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {name}
            </span>
            {id === active?.id && <Check aria-hidden size={17} />}
          </MenuButton>
        ))}
        {list.length > 0 && found.length === 0 && (
          <p role="status" className="px-2.5 py-1.5 text-soft">
            {t.nothingFound}
          </p>
        )}
        {list.length === 0 && <p className="px-2.5 py-1.5 text-soft">{t.noneYet}</p>}
        {teams.list.length > 0 && <TeamLines {...teams} />}
        {creatable && (
          <>
            <MenuLine />
            <MenuLink to="/organizations/new">
              <Plus aria-hidden size={17} />
              {t.create}
            </MenuLink>
          </>
        )}
      </Menu>
      {error && <ErrorPanel error={error} errors={t.errors} />}
    </>
  )
}

/** The user's teams in the active organization, and the active one of the session. */
function useOwnTeams() {
  const t = useTexts(switcherTexts)
  const { features } = useConfig()
  const { user, session } = useMember()
  const { activeOrganizationId: organizationId, activeTeamId } = session
  const { data } = useQuery(
    ['activeOrganization', 'own teams', user.id, organizationId ?? null],
    () => auth.organization.listUserTeams({ query: { organizationId: organizationId ?? undefined } }),
    Boolean(features.teams && organizationId),
  )
  const list: Team[] = data ?? []
  const change = useAction(
    (team: Team | null) => auth.organization.setActiveTeam({ teamId: team?.id ?? null }),
    (_answer, team) => toast(team ? t.teamOpened(team.name) : t.teamClosed),
  )
  return { list, active: list.find(({ id }) => id === activeTeamId), error: change.error, choose: change.run }
}

/** Below the organizations: the teams of the active one. */
function TeamLines({ list, active, choose }: ReturnType<typeof useOwnTeams>) {
  const t = useTexts(switcherTexts)
  return (
    <fieldset className="min-w-0">
      <MenuLine />
      <legend className="sr-only">{t.yourTeams}</legend>
      <MenuButton onClick={() => choose(null)}>
        <Building2 aria-hidden size={17} className="flex-none" />
        <span className="min-w-0 flex-1 truncate">{t.wholeOrganization}</span>
        {!active && <Check aria-hidden size={17} />}
      </MenuButton>
      {list.map((team) => (
        <MenuButton key={team.id} onClick={() => choose(team)}>
          <UsersRound aria-hidden size={17} className="flex-none" />
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {team.name}
          </span>
          {team.id === active?.id && <Check aria-hidden size={17} />}
        </MenuButton>
      ))}
    </fieldset>
  )
}
