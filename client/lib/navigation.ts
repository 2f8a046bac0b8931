import type { LucideIcon } from 'lucide-react'
import type { Permissions } from '../../worker/kit/permissions.ts'
import type { FeatureSwitches } from './auth/endpoints.ts'
import type { Dictionary } from './texts/define.ts'

/** An entry of the signed-in navigation, which a feature lists in its `navigation.ts`. */
export interface NavigationEntry {
  group: 'account' | 'organization' | 'developers' | 'admin'
  path: string
  label: Dictionary<{ label: string }>
  icon: LucideIcon
  /** The path of another entry: its screens show this one as a tab, and the navigation has only the other. */
  in?: string
  /** The switches without which it is hidden. */
  on?: keyof FeatureSwitches | readonly (keyof FeatureSwitches)[]
  /** Shown only to administrators with this permission. */
  permission?: Permissions
  /** Shown only to members of the active organization whose role has this permission. */
  memberPermission?: Permissions
  /** Entries with higher numbers come later. @default 0, in the order of the features' names */
  order?: number
}
