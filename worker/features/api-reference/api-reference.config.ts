import { defineOptions } from '../../kit/options.ts'

export const apiReferenceOptions = defineOptions('openAPI', {
  /** Off in production unless the configuration says otherwise. */
  enabled: null as boolean | null,
  /** The page can be turned off by itself; the generated document stays. */
  disableDefaultReference: false,
})
