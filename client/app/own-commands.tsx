import { Languages, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { auth, useConfig, useMember } from '../lib/api.ts'
import { useOrganizations, useQuery } from '../lib/queries.ts'
import { languageNames, messageOf, rememberLanguage, useEveryText, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { chooseTheme, theme, themes } from '../lib/theme.ts'
import type { NavigationGroup } from '../ui/navigation.tsx'
import { Avatar } from '../ui/small.tsx'
import { toast } from '../ui/toasts.tsx'
import { commandsFor, groupOf } from './all-commands.ts'
import { commandTexts } from './command.texts.ts'
import type { Command, CommandGroup, Open } from './find-commands.ts'

/** What every member has: screens, actions, organizations to work in, theme and language. */
export function useOwnCommands(groups: NavigationGroup[], open: Open) {
  const t = useTexts(commandTexts)
  const { features } = useConfig()
  const [, navigate] = useLocation()
  const actions = useActions(groups, open)
  const organizations = useSwitches(open)
  const preferences = usePreferences(open)
  const screens = groups.map(({ id, label, items }) => ({
    id,
    label,
    commands: [
      ...items.map(
        ({ path, label, english, icon: Icon }): Command => ({
          id: path,
          label,
          english,
          icon: <Icon size={18} />,
          run: open(() => navigate(path)),
        }),
      ),
      ...actions(id),
    ],
  }))
  const switches: CommandGroup = { id: 'switch', label: t.switchTo, commands: organizations.commands }
  return {
    groups: [
      ...screens,
      ...(features.organization ? [switches] : []),
      { id: 'preferences', label: t.preferences, commands: preferences },
    ],
    error: organizations.error,
  }
}

/** The commands of the features, by the group of the navigation; those of a group that is not shown are in the first. */
function useActions(groups: NavigationGroup[], open: Open) {
  const inLanguage = useEveryText()
  const config = useConfig()
  const { user, session } = useMember()
  const [, navigate] = useLocation()
  const id = (config.features.organization && session.activeOrganizationId) || null
  const me = useQuery(['activeMember', id], () => auth.organization.getActiveMember(), id !== null).data
  const member = id !== null && me ? { role: me.role, roles: config.organization?.roles ?? {} } : null
  const entries = commandsFor(config, user, member, Boolean(session.impersonatedBy))
  const shown = groups.map((group) => group.id)
  const labels = new Map(groups.flatMap(({ items }) => items).map(({ path, label }) => [path, label]))
  return (group: string): Command[] =>
    entries
      .filter(({ to }) => (shown.includes(groupOf(to)) ? groupOf(to) : shown[0]) === group)
      .map(({ id, texts, key, icon: Icon, to }) => {
        const { label, words } = inLanguage(texts)[key]!
        const english = texts.english[key]!
        return {
          id,
          label,
          detail: labels.get(to.replace(/#.*/, '')),
          // Many users know the English words, too.
          english: english.label,
          words: `${words}, ${english.words}`,
          icon: <Icon size={18} />,
          run: open(() => navigate(to)),
        }
      })
}

function useSwitches(open: Open) {
  const t = useTexts(commandTexts)
  const core = useTexts()
  const { session } = useMember()
  const [location, navigate] = useLocation()
  const { data } = useOrganizations()
  const [error, setError] = useState<string | null>(null)
  async function work(id: string, name: string) {
    const { error } = await auth.organization.setActive({ organizationId: id })
    if (error) return setError(messageOf(error, core))
    toast(t.opened(name))
    open(() => location.startsWith('/organization') || navigate('/organization/settings'))()
  }
  const commands = (data ?? []).map(
    ({ id, name, slug, logo }): Command => ({
      id: `switch-${id}`,
      label: name,
      detail: slug,
      icon: <Avatar name={name} image={logo} size={24} />,
      isActive: id === session.activeOrganizationId,
      run: () => void work(id, name),
    }),
  )
  return { commands, error }
}

const icons = { system: Monitor, light: Sun, dark: Moon }

function usePreferences(open: Open): Command[] {
  const t = useTexts(commandTexts)
  const { brand } = useConfig()
  const language = useLanguage()
  const current = theme.use()
  const english = commandTexts.english
  return [
    ...(brand.themeSwitch ? themes : []).map((choice): Command => {
      const Icon = icons[choice]
      return {
        id: `theme-${choice}`,
        label: t.themes[choice].label,
        words: `${t.themes[choice].words}, ${english.themes[choice].label}, ${english.themes[choice].words}`,
        icon: <Icon size={18} />,
        isActive: choice === current,
        run: open(() => chooseTheme(choice)),
      }
    }),
    ...Object.entries(brand.languageSwitch ? languageNames : {}).map(
      ([tag, name]): Command => ({
        id: `language-${tag}`,
        label: name,
        words: `${t.languageWords}, ${english.languageWords}, ${tag}`,
        icon: <Languages size={18} />,
        isActive: tag === language,
        run: open(() => void rememberLanguage(tag)),
      }),
    ),
  ]
}
