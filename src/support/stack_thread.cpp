#include "support/stack_thread.h"

#include <pthread.h>

namespace tilewright {

static void *call(void *function) {
  (*static_cast<const std::function<void()> *>(function))();
  return nullptr;
}

bool run_with_stack(size_t stack_bytes, const std::function<void()> &function) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_t thread;
  bool made = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
              pthread_create(&thread, &attributes, call,
                             const_cast<std::function<void()> *>(&function)) == 0;
  pthread_attr_destroy(&attributes);
  return made && pthread_join(thread, nullptr) == 0;
}

} // namespace tilewright
