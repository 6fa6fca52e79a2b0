import { NumberInput, Stack, Text, UnstyledButton } from '@mantine/core'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import type { HookListener } from './types.ts'

/** The priority of a callback; administrators can change that of an extension's. */
export function CallbackPriority({ hook, listener }: { hook: string; listener: HookListener }) {
  const { owner, callback, priority, ownPriority } = listener
  const { mutate, isPending } = useChange(
    (chosen: number | null) =>
      change('PUT', 'host/v1/hooks/priorities', { hook, owner, ownPriority, priority: chosen }),
    { invalidates: ['host/v1/hooks'], done: __('Saved.', 'pentad') },
  )
  if (owner === 'core' || owner === '') return priority

  async function choose(): Promise<void> {
    let chosen: number | string = priority
    const isSure = await confirm({
      title: sprintf(__('Priority for %s', 'pentad'), hook),
      body: (
        <Stack gap="sm">
          <Text size="sm">
            {sprintf(
              __('Callbacks with a lower priority run first. The extension’s own priority is %s.', 'pentad'),
              String(ownPriority),
            )}
          </Text>
          <NumberInput
            data-autofocus
            label={__('Priority', 'pentad')}
            description={__('Leave empty to use the extension’s own priority.', 'pentad')}
            min={-100_000}
            max={100_000}
            defaultValue={priority}
            onChange={(value) => {
              chosen = value
            }}
          />
        </Stack>
      ),
      confirm: __('Save', 'pentad'),
    })
    if (isSure) mutate(typeof chosen === 'number' ? chosen : null)
  }

  return (
    <UnstyledButton
      fz="sm"
      td="underline dotted"
      disabled={isPending}
      aria-label={sprintf(__('Change priority %1$s of %2$s', 'pentad'), String(priority), callback)}
      onClick={() => void choose()}
    >
      {priority === ownPriority
        ? priority
        : sprintf(__('%1$s (originally %2$s)', 'pentad'), String(priority), String(ownPriority))}
    </UnstyledButton>
  )
}
