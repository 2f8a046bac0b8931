import { Building2, Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Menu, MenuButton, MenuLine, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useRules } from './current.tsx'
import { organizationTexts } from './texts.ts'

/** In the top bar: which organization is open, and the others. */
export default function Switcher() {
  const { features } = useConfig()
  return features.organization ? <OrganizationMenu /> : null
}

/** From more entries than these on, a menu is searched. */
const longList = 7

function OrganizationMenu() {
  const t = useTexts(organizationTexts)
  const core = useTexts()
  const { session } = useMember()
  const { creatable } = useRules()
  const { data } = auth.useListOrganizations()
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
      // A screen about the account says nothing about the organization that was just chosen.
      if (!location.startsWith('/organization')) navigate('/organization/settings')
    },
  )
  return (
    <>
      <Menu
        label={`${t.switcher}: ${active?.name ?? t.none}`}
        buttonClassName="min-w-0"
        from="start"
        button={
          <>
            {active ? (
              <Avatar name={active.name} image={active.logo} size={24} />
            ) : (
              <Building2 aria-hidden size={18} className="flex-none text-soft" />
            )}
            <span aria-hidden className="hidden max-w-40 truncate sm:block">
              {active?.name ?? t.none}
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
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {id === active?.id && <Check aria-hidden size={17} />}
          </MenuButton>
        ))}
        {list.length > 0 && found.length === 0 && (
          <p role="status" className="px-2.5 py-1.5 text-soft">
            {core.nothingFound}
          </p>
        )}
        {list.length === 0 && <p className="px-2.5 py-1.5 text-soft">{t.noneYet}</p>}
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
      {open.error && <ErrorPanel error={open.error} errors={t.errors} />}
    </>
  )
}
