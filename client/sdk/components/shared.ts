import { type ComponentType, type Context, createContext, type ReactNode, useContext } from 'react'
import type { CompleteLanguage } from '../../../worker/kit/language.ts'
import type { Appearance } from './appearance.ts'

/** The languages with texts. Another tag shows English. */
export type ComponentLanguage = CompleteLanguage | (string & {})

export interface Localization {
  /** @default the first supported language of the browser */
  language?: ComponentLanguage
  /** Texts in place of others, by dictionary and key, as in `brand.texts`. */
  texts?: Record<string, Record<string, unknown>>
}

/** The signed-in user, as `onSessionChange` gets it. */
export interface ComponentUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image?: string | null
  role?: string | null
}

export interface GatehouseProviderProps {
  /** The URL of the API, such as `https://accounts.example.com/api/auth`. */
  baseURL: string
  appearance?: Appearance
  localization?: Localization
  /** Opens an address of the page's own origin, such as `router.push`. @default a new document */
  navigate?(to: string): void
  /** Own pages in place of hosted ones: `{ '/account/profile': '/settings' }`. */
  pages?: Record<string, string>
  /** Called with the user after the first response and after each change; null for a visitor. */
  onSessionChange?(user: ComponentUser | null): void
  children?: ReactNode
}

/** What the browser loads: runtime.tsx. */
export interface Runtime {
  start(baseURL: string, localization?: Localization): Promise<void>
  Shell: ComponentType<{ settings: GatehouseProviderProps }>
  InRoot: ComponentType<{ inline?: boolean; children: ReactNode }>
  Guard: ComponentType<{ children: ReactNode }>
  Unanswered: ComponentType
}

interface Shared {
  settings: GatehouseProviderProps
  /** Loaded in the browser. On the server, and during hydration, nothing is known about the user. */
  runtime: Runtime | null
}

let context: Context<Shared | null> | undefined

/** Made when it is first needed: a product's bundler may evaluate this file before the page's React is known. */
export const gatehouseContext = () => (context ??= createContext<Shared | null>(null))

export function useShared(): Shared {
  const shared = useContext(gatehouseContext())
  if (!shared) throw new Error('Gatehouse components belong inside of <GatehouseProvider>')
  return shared
}
