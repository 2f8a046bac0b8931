export type SendText = (message: { to: string; text: string }) => Promise<void>
export const texter =
  (_options: object, _env: object): SendText =>
  async () => {}
