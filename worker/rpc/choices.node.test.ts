import { expectTypeOf, it } from 'vitest'
import type { AnyAccounts } from '../kit/account-types.ts'
import type { ChoicesOf } from './methods.ts'
import type { OperationMethods } from './server-operations.ts'

it('the roles and permissions of every operation are those of the product; API keys have any', () => {
  type Choice = {
    [Name in keyof OperationMethods]: OperationMethods[Name] extends (input: infer Input) => unknown
      ? Extract<keyof Input, 'role' | 'permissions'> extends never
        ? never
        : Name
      : never
  }[keyof OperationMethods]
  expectTypeOf<Exclude<Choice, `${string}ApiKey`>>().toEqualTypeOf<keyof ChoicesOf<AnyAccounts>>()
})
