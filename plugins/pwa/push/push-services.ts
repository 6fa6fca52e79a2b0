import { LRUCache } from 'lru-cache'
import type { PushHosts } from './push-host.ts'
import { openPushService, type PushService } from './push-service.ts'

/** Maximum push services in memory; more than there can be among the subscriptions. */
const MOST = 200

/** Push services by origin, shared by all broadcasts. */
export interface PushServices {
  get(origin: string): Promise<PushService>
  close(): Promise<void>
}

export function createPushServices(hosts: PushHosts): PushServices {
  const services = new LRUCache<string, Promise<PushService>>({
    max: MOST,
    dispose: (service) => void service.then((opened) => opened.close()).catch(() => {}),
  })

  return {
    get(origin) {
      let service = services.get(origin)
      if (!service) {
        service = openPushService(origin, hosts)
        services.set(origin, service)
      }
      return service
    },
    async close() {
      const open = [...services.values()]
      services.clear()
      await Promise.all(open.map(async (service) => (await service).close()))
    },
  }
}
