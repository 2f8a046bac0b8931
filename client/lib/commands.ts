import type { LucideIcon } from 'lucide-react'
import type { Config } from './api.ts'
import type { User } from './auth/endpoints.ts'
import type { NavigationEntry } from './navigation.ts'
import type { Dictionary } from './texts/define.ts'

/** What a command is called, and further words that find it, separated by commas. */
interface CommandWords {
  label: string
  words: string
}

interface CommandPlace extends Pick<NavigationEntry, 'on' | 'permission' | 'memberPermission'> {
  icon: LucideIcon
  /** The address of a screen, of a part of it, or of a dialog: `/account/security#add-passkey`. */
  to: string
  /** A further condition. */
  when?(config: Config, user: User): unknown
  /** Without it an administrator who impersonates the user does not see it. @default that of paths below /account */
  forAll?: boolean
}

export interface CommandEntry extends CommandPlace {
  /** Unique. */
  id: string
  texts: Dictionary<Record<string, CommandWords>>
  /** The key of its words in the texts. */
  key: string
}

/**
 * The actions, sections and dialogs of a feature, which its `commands.ts` lists for the command menu and for links. Each one
 * has words in all languages, and each of the words an address.
 */
export const defineCommands = <T extends Record<string, CommandWords>>(
  texts: Dictionary<T>,
  places: Readonly<Record<keyof T & string, CommandPlace>>,
): CommandEntry[] =>
  Object.entries<CommandPlace>(places).map(([key, place]) => ({
    ...place,
    id: `${texts.name} ${key}`,
    texts: texts as unknown as Dictionary<Record<string, CommandWords>>,
    key,
  }))
