import { Alert, Button, Group, Image, Text } from '@mantine/core'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useSettingValues } from 'pentad/admin/settings/use-settings.ts'
import { ASSETS, type Assets, PWA } from './routes.ts'

const POLL_INTERVAL = 400
/** The icons on display; the others are the same in other sizes. */
const SHOWN = /512/

/** The icons and splash screens generated from the app icon, and a button that generates them again. */
export function AssetsCard({ isSaved }: { isSaved: boolean }) {
  const { appIcon } = useSettingValues('pwa')
  const assets = useRead<Assets>(ASSETS, undefined, { every: (data) => (data?.making ? POLL_INTERVAL : false) })
  const make = useChange(() => change('POST', `${PWA}/pwa-assets/save`, { wait: false }), {
    invalidates: [`${PWA}/pwa-assets`],
  })
  return (
    <Section
      title={__('Icons and splash screens', 'pentad')}
      description={__('Generated from the app icon and the background color for each type of device.', 'pentad')}
    >
      <Loaded query={assets}>
        {({ icons, splashScreens, making, error, exists }) => (
          <>
            {making ? (
              <ProgressBar
                percent={(100 * making.done) / making.total}
                label={sprintf(
                  __('Generating %1$s of %2$s', 'pentad'),
                  formatNumber(making.done),
                  formatNumber(making.total),
                )}
              />
            ) : (
              <>
                {error && (
                  <Alert color="red" title={__('Icons could not be generated', 'pentad')}>
                    {error.message}
                  </Alert>
                )}
                {exists ? (
                  <Group>
                    {icons
                      .filter(({ sizes }) => SHOWN.test(sizes))
                      .map(({ src, purpose }) => (
                        <figure key={src} style={{ margin: 0 }}>
                          <Image
                            src={src}
                            alt={sprintf(__('Icon: %s', 'pentad'), purpose)}
                            w={72}
                            h={72}
                            bg="gray.5"
                            radius="md"
                          />
                          <Text size="xs" c="dimmed" ta="center">
                            {purpose}
                          </Text>
                        </figure>
                      ))}
                    <Text size="sm">
                      {sprintf(
                        __('%1$s and %2$s generated.', 'pentad'),
                        sprintf(_n('%s icon', '%s icons', icons.length, 'pentad'), formatNumber(icons.length)),
                        sprintf(
                          _n('%s splash screen', '%s splash screens', splashScreens.length, 'pentad'),
                          formatNumber(splashScreens.length),
                        ),
                      )}
                    </Text>
                  </Group>
                ) : (
                  <Text size="sm">
                    {__('No icons yet. Browsers offer to install an app only if it has icons.', 'pentad')}
                  </Text>
                )}
              </>
            )}
            <Group gap="sm">
              <Button
                variant={exists ? 'default' : 'filled'}
                loading={make.isPending}
                disabled={making !== null || !isSaved || Number(appIcon ?? 0) === 0}
                onClick={() => make.mutate()}
              >
                {exists ? __('Regenerate icons', 'pentad') : __('Generate icons', 'pentad')}
              </Button>
              <Text size="sm" c="dimmed">
                {isSaved
                  ? Number(appIcon ?? 0) === 0 && __('Select an app icon first.', 'pentad')
                  : __('Save your changes first.', 'pentad')}
              </Text>
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  )
}
