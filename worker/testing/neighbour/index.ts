import type { ServerApi } from '../../rpc.ts'

/** Calls the method of Gatehouse's server API that the path names, with the body as its argument. */
export default {
  async fetch(request, { GATEHOUSE }): Promise<Response> {
    const method = new URL(request.url).pathname.slice(1)
    const api = GATEHOUSE as unknown as Record<string, (input: unknown) => Promise<unknown>>
    return Response.json(await api[method]!(await request.json()))
  },
} satisfies ExportedHandler<{ GATEHOUSE: Service<typeof ServerApi> }>
