import { config } from './config.ts'
import { gatehouse } from './gatehouse.ts'

const { handler, ServerApi } = gatehouse(config)

export default handler
export { Counter, EndedSessions, LiveChannel, OneTimeRecord } from './gatehouse.ts'
export { ServerApi }
