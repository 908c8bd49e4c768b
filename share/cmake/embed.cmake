# tacho_embed(TARGET FILE SYMBOL): compiles a text file into TARGET as
#     namespace tacho::embedded { extern const std::string_view SYMBOL; }
# so that one copy of the file in share/ serves every program and none looks for it at run time.
function(tacho_embed target file symbol)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY NEWLINE_STYLE UNIX CONTENT
"#include <string_view>
namespace tacho::embedded {
extern const std::string_view @symbol@;
const std::string_view @symbol@ = R\"TACHO_EMBED(@text@)TACHO_EMBED\";
} // namespace tacho::embedded
")
    target_sources(${target} PRIVATE ${source})
endfunction()
