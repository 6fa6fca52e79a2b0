import { Text } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'

/** Asks whether an application may access the account. @param props.name - As the application identifies itself; may be empty. */
export function AccessQuestion({ name }: { readonly name: string }) {
  return (
    <Text>
      {name
        ? sprintf(
            __('Do you want to give the application that identifies itself as “%s” access to your account?', 'pentad'),
            name,
          )
        : __('Do you want to give this application access to your account?', 'pentad')}{' '}
      {__('Only do this if you trust the application.', 'pentad')}
    </Text>
  )
}
