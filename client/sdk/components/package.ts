import * as react from 'react'
import * as runtime from 'react/jsx-runtime'
import * as dom from 'react-dom'
import { provide } from './react.ts'

// gatehouse-auth/react/components, with the React of the page. package.json names the built file in `sideEffects`, with its
// boundary: a bundler that passes over a boundary passes over this module, too.
provide(react, dom, runtime)

export {
  ApiKeys,
  CreateOrganization,
  GatehouseProvider,
  OrganizationProfile,
  OrganizationSwitcher,
  PricingTable,
  Protect,
  SignedIn,
  SignedOut,
  SignIn,
  SignUp,
  UserButton,
  UserProfile,
} from './components.tsx'
