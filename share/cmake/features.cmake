# What this machine can build. A part that cannot be built is left out, and the reason is printed.
set(TACHO_HAVE_CUDA OFF)
if(TACHO_ONLY_INJECT) # of the toolkit that needs no more than the headers, which are the same for all machines
    find_path(CUDAToolkit_INCLUDE_DIRS cuda.h HINTS /usr/local/cuda/include REQUIRED)
    find_path(TACHO_CUPTI_INCLUDE cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/extras/CUPTI/include
              REQUIRED)
    set(TACHO_HAVE_CUDA ON)
elseif(NOT TACHO_CUDA)
    message(STATUS "collector, CUDA workloads: left out (TACHO_CUDA=OFF)")
else()
    find_package(CUDAToolkit QUIET)
    find_path(TACHO_CUPTI_INCLUDE cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_ROOT}/extras/CUPTI/include
              /usr/local/cuda/extras/CUPTI/include)
    if(NOT CUDAToolkit_FOUND)
        message(STATUS "collector, CUDA workloads: left out (no CUDA toolkit: nvcc was not found)")
    elseif(NOT TACHO_CUPTI_INCLUDE)
        message(STATUS "collector, CUDA workloads: left out (CUDA toolkit without CUPTI headers)")
    else()
        set(TACHO_HAVE_CUDA ON)
        message(STATUS "collector, CUDA workloads: CUDA ${CUDAToolkit_VERSION}")
    endif()
endif()
