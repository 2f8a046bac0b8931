import { Blocks, Building, KeyRound, ScrollText, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Permissions } from '../../worker/kit/permissions.ts'
import { foundTexts } from '../features/admin/found.texts.ts'
import { apiKeyTexts } from '../features/api-key/texts.ts'
import { identityProviderTexts } from '../features/identity-provider/texts.ts'
import { auth, useConfig, useMember } from '../lib/api.ts'
import { administersAnything, administratorMay } from '../lib/permissions.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Avatar } from '../ui/small.tsx'
import { commandTexts } from './command.texts.ts'
import type { Command, CommandGroup, Open } from './find-commands.ts'

/** Delay (ms) between typing and search. */
const pause = 250

/** The id of a request: a Ray ID, with or without its place, or a UUID. */
const requestId = /^([0-9a-f]{16}(-[a-z]{3})?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The results of one kind. */
const limit = 5

/** What the user may find as an administrator. */
export function useSearchedInConsole() {
  const { features, admin } = useConfig()
  const { user } = useMember()
  const roles = admin?.roles ?? {}
  const may = (wanted: Permissions) =>
    Boolean(features.admin) &&
    administersAnything(roles, user.role ?? '') &&
    administratorMay(roles, user.role ?? '', wanted)
  const found = {
    users: may({ user: ['list'] }),
    organizations: Boolean(features.organization) && may({ organization: ['list'] }),
    keys: Boolean(features.apiKey) && may({ apiKey: ['list'] }),
    clients: Boolean(features.identityProvider) && may({ client: ['list'] }),
  }
  return { ...found, records: may({ audit: ['list'] }), any: Object.values(found).includes(true) }
}

interface Found {
  text: string
  groups: CommandGroup[]
  error: string | null
}

/** The commands of one kind, and whether its search has failed. */
interface Results {
  group: CommandGroup
  failed: boolean
}

/**
 * What begins like the text among the users, organizations, API keys and clients of the whole application, by name or id, for
 * administrators.
 */
export function useFoundInConsole(text: string, open: Open): Omit<Found, 'text'> & { busy: boolean } {
  const t = useTexts(commandTexts)
  const { title: keysTitle, unnamed } = useTexts(apiKeyTexts)
  const { clientsTitle } = useTexts(identityProviderTexts)
  const { kinds } = useTexts(foundTexts)
  const [, navigate] = useLocation()
  const searched = useSearchedInConsole()
  const [found, setFound] = useState<Found>({ text: '', groups: [], error: null })
  const wanted = searched.any && text.length >= 2 ? text : ''
  const go = useRef((_path: string) => () => {})
  useEffect(() => {
    go.current = (path) => open(() => navigate(path))
  })
  const commandTo = (path: string, shown: Omit<Command, 'id' | 'run'>): Command => ({
    ...shown,
    id: path,
    run: () => go.current(path)(),
  })

  async function users(search: string): Promise<Results> {
    const { data, error } = await auth.admin.listUsers({ query: { search, limit } })
    const commands = (data?.users ?? []).map(({ id, name, email, image }) =>
      commandTo(`/admin/users/${id}`, {
        label: name || email,
        detail: isPlaceholder(email) ? undefined : email,
        icon: name ? <Avatar name={name} image={image} size={24} /> : <UserRound size={18} />,
      }),
    )
    return { group: { id: 'users', label: t.users, commands }, failed: error !== null }
  }
  async function organizations(search: string): Promise<Results> {
    const { data, error } = await auth.admin.listOrganizations({ query: { search, limit } })
    const commands = (data?.organizations ?? []).map(({ id, name, slug, logo }) =>
      commandTo(`/admin/organizations/${id}`, {
        label: name,
        detail: slug,
        icon: logo ? <Avatar name={name} image={logo} size={24} /> : <Building size={18} />,
      }),
    )
    return { group: { id: 'organizations', label: t.organizations, commands }, failed: error !== null }
  }
  async function keys(search: string): Promise<Results> {
    const { data, error } = await auth.admin.findApiKeys({ query: { search, limit } })
    const commands = (data?.keys ?? []).map(({ id, name, start, ownerName }) =>
      commandTo(`/admin/api-keys/${encodeURIComponent(id)}`, {
        label: name ?? unnamed,
        detail: [start && `${start}…`, ownerName].filter(Boolean).join(' · '),
        icon: <KeyRound size={18} />,
      }),
    )
    return { group: { id: 'keys', label: keysTitle, commands }, failed: error !== null }
  }
  async function clients(search: string): Promise<Results> {
    const { data, error } = await auth.admin.findClients({ query: { search, limit } })
    const commands = (data?.clients ?? []).map(({ clientId, name, kind, ownerName }) =>
      commandTo(`/admin/clients/${encodeURIComponent(clientId)}`, {
        label: name,
        detail: [kinds[kind], ownerName, clientId].filter(Boolean).join(' · '),
        icon: <Blocks size={18} />,
      }),
    )
    return { group: { id: 'clients', label: clientsTitle, commands }, failed: error !== null }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    if (!wanted) return setFound({ text: '', groups: [], error: null })
    let isCurrent = true
    async function search() {
      const results = await Promise.all([
        ...(searched.users ? [users(wanted)] : []),
        ...(searched.organizations ? [organizations(wanted)] : []),
        ...(searched.keys ? [keys(wanted)] : []),
        ...(searched.clients ? [clients(wanted)] : []),
      ])
      if (!isCurrent) return
      setFound({
        text: wanted,
        groups: results.map(({ group }) => group).filter(({ commands }) => commands.length > 0),
        error: results.some(({ failed }) => failed) ? t.unavailable : null,
      })
    }
    const timer = setTimeout(() => void search(), pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted])
  const requests: CommandGroup = {
    id: 'requests',
    label: t.requests,
    commands: [
      {
        id: 'request',
        label: t.request(wanted),
        icon: <ScrollText size={18} />,
        run: () => go.current(`/admin/audit?${new URLSearchParams({ q: wanted })}`)(),
      },
    ],
  }
  const own = searched.records && requestId.test(wanted) ? [requests] : []
  return {
    groups: wanted ? [...own, ...found.groups] : [],
    error: wanted ? found.error : null,
    busy: found.text !== wanted,
  }
}
