import CacheAside
